#include "start_of_pairs.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace scree {
namespace {

/// Keys of contacts with their places, sorted.
using Order = std::vector<std::pair<ContactKey, std::size_t>>;

/// The place of the contact of the record's pair whose point is nearest to the record's; @p
/// contacts' number where the pair has none.
std::size_t nearest_to(const ContactRecord& record, ContactView contacts, const Order& order) {
  const ContactKey first{.id_a = record.key.id_a,
                         .id_b = record.key.id_b,
                         .feature = std::numeric_limits<std::int64_t>::min(),
                         .image = record.key.image};
  std::size_t nearest = contacts.size();
  double least = std::numeric_limits<double>::infinity();
  for (auto at = std::lower_bound(order.begin(), order.end(), std::pair(first, std::size_t{0}));
       at != order.end() && of_one_pair(at->first, record.key); ++at) {
    const double distance = record.squared_distance(contacts[at->second].arm_a);
    if (distance >= least) continue;
    least = distance;
    nearest = at->second;
  }
  return nearest;
}

}  // namespace

FoundRecords with_recursions(ContactView contacts, const FoundRecords& records,
                             const ContactRecords& memory) {
  std::vector<ContactRecord> whole(contacts.size());
  Order order;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!records.is_new(i)) whole[i] = records[i];
    order.emplace_back(contacts.key(i), i);
  }
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < memory.size(); ++i) {
    if (memory.key(i).recursion == 0) continue;
    const ContactRecord record = memory[i];
    const std::size_t place = nearest_to(record, contacts, order);
    if (place == contacts.size()) continue;
    whole[place].force += record.force;
    whole[place].moment += record.moment;
  }
  return FoundRecords(whole);
}

}  // namespace scree
