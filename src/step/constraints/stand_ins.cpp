#include "stand_ins.hpp"

#include <algorithm>

#include "scree/contact/penetration.hpp"

namespace scree {
namespace {

/// Distance of two normals, and of two arms over the inscribed radius, up to which rows are alike:
/// a pair's block of rows further apart has a condition of some 100 at most.
constexpr double kAlike = 0.3;
/// Share of an overlap that is little less than it, and how often in a step a pair may come to that
/// before its rows stay. Fewer times add rows to pairs whose neighbours only have not come to rest.
constexpr double kLittleLess = 0.8;
constexpr int kMostInVain = 5;

bool are_alike(const Store& bodies, const Contact& one, const Contact& other) {
  const double radius = smaller_radius(bodies, one.a, one.b);
  return (one.normal - other.normal).norm() <= kAlike &&
         (one.arm_a - other.arm_a).norm() <= kAlike * radius;
}

/// The first of @p points that is like @p row; null where none is.
const Contact* first_alike(const Store& bodies, const Contact& row,
                           std::span<const Contact* const> points) {
  const auto alike = std::ranges::find_if(
      points, [&](const Contact* point) { return are_alike(bodies, row, *point); });
  return alike == points.end() ? nullptr : *alike;
}

/// Has the impulses at the keys of @p successors act at the keys that follow them, as one where
/// several do.
void hand_over(const std::map<ContactKey, ContactKey>& successors,
               std::vector<ContactRecord>& impulses) {
  std::map<ContactKey, ContactRecord> handed;
  std::erase_if(impulses, [&](const ContactRecord& record) {
    const auto successor = successors.find(record.key);
    if (successor == successors.end()) return false;
    ContactRecord& joined = handed[successor->second];
    joined.key = successor->second;
    joined.force += record.force;
    joined.moment += record.moment;
    return true;
  });
  for (const auto& [key, record] : handed) impulses.push_back(record);
  std::ranges::sort(impulses, {}, &ContactRecord::key);
}

}  // namespace

void StandIns::take_places(const Store& bodies, std::span<const Contact> lacking,
                           std::span<const double> overlaps, std::span<const double> recovered,
                           std::vector<Contact>& contacts, std::vector<ContactRecord>& impulses) {
  const Points points = points_of_pairs_that_go_on(lacking, overlaps);
  std::map<ContactKey, ContactKey> successors;
  std::vector<Contact> staying;
  staying.reserve(contacts.size() + lacking.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& row = contacts[i];
    const auto pair = points.find(pair_of(row.key));
    const bool is_of_start = row.key.recursion == 0;
    const bool may_go = pair != points.end() && (!is_of_start || may_go_(row));
    const Contact* successor = may_go ? first_alike(bodies, row, pair->second) : nullptr;
    if (successor == nullptr) {
      staying.push_back(row);
      continue;
    }
    successors[row.key] = successor->key;
    if (is_of_start && row.gap < 0.0) {
      double& allowed = allowed_[pair->first];
      allowed = std::min(allowed, row.gap + recovered[i]);
    }
  }
  contacts = std::move(staying);
  hand_over(successors, impulses);
}

StandIns::Points StandIns::points_of_pairs_that_go_on(std::span<const Contact> lacking,
                                                      std::span<const double> overlaps) {
  Points points;
  std::map<PairKey, double> largest;
  for (std::size_t i = 0; i < lacking.size(); ++i) {
    const PairKey pair = pair_of(lacking[i].key);
    points[pair].push_back(&lacking[i]);
    largest[pair] = std::max(largest[pair], overlaps[i]);
  }
  for (const auto& [pair, overlap] : largest) {
    Course& course = courses_[pair];
    const bool is_first = course.overlap == 0.0;
    if (!is_first && overlap > kLittleLess * course.overlap) ++course.n_in_vain;
    course.overlap = overlap;
    if (course.n_in_vain >= kMostInVain) points.erase(pair);
  }
  return points;
}

void StandIns::add_to(Allowances& allowed) const {
  for (const auto& [pair, gap] : allowed_) {
    Allowance& of_pair = allowed[pair];
    of_pair.gap = std::min(of_pair.gap, gap);
  }
}

}  // namespace scree
