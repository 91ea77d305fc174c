#include "stand_ins.hpp"

#include <algorithm>

#include "scree/contact/penetration.hpp"

namespace scree {
namespace {

/// Distance of two normals, and of two arms over the inscribed radius, up to which rows are alike.
/// 0.1, 0.3 and 0.5 take about as many recursions and iterations (a bed of 1,000 ellipsoids).
constexpr double kAlike = 0.3;
/// Share of an overlap that is little less than it, and how often in a step a pair may come to that
/// before its rows stay. Fewer times add rows to pairs whose neighbours only have not come to rest:
/// while that bed comes to rest, solves of a step take 0.4 s with three times, 0.1 to 0.2 s with
/// five and with eight; without an end 4 of 20 steps go round until their recursions are used up.
constexpr double kLittleLess = 0.8;
constexpr int kMostInVain = 5;

/// The place in @p rows, of one pair, of that nearest to @p point of those that are like it.
std::optional<std::size_t> nearest_alike(const Store& bodies, const Contact& point,
                                         std::span<const Contact> contacts,
                                         std::span<const std::size_t> rows) {
  const double radius = smaller_radius(bodies, point.a, point.b);
  std::optional<std::size_t> nearest;
  double least = kAlike * radius;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Contact& row = contacts[rows[i]];
    const double distance = (row.arm_a - point.arm_a).norm();
    if (distance > least || (row.normal - point.normal).norm() > kAlike) continue;
    least = distance;
    nearest = i;
  }
  return nearest;
}

/// Has the impulses of the keys of @p successors act at the keys that follow them.
void hand_over(const std::map<ContactKey, ContactKey>& successors,
               std::vector<ContactRecord>& impulses) {
  for (ContactRecord& record : impulses) {
    const auto successor = successors.find(record.key);
    if (successor != successors.end()) record.key = successor->second;
  }
  std::ranges::sort(impulses, {}, &ContactRecord::key);
}

}  // namespace

void StandIns::take_places(const Store& bodies, std::span<const Contact> lacking,
                           std::span<const double> overlaps, std::span<const double> recovered,
                           std::vector<Contact>& contacts, std::vector<ContactRecord>& impulses) {
  if (lacking.empty()) return;
  const Points points = points_of_pairs_that_go_on(lacking, overlaps);
  std::map<PairKey, std::vector<std::size_t>> rows;  // that may go, of these pairs
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const PairKey pair = pair_of(contacts[i].key);
    if (!points.contains(pair)) continue;
    if (contacts[i].key.recursion > 0 || may_go_(contacts[i])) rows[pair].push_back(i);
  }
  std::map<ContactKey, ContactKey> successors;
  for (auto& [pair, of_pair] : rows) {
    for (const Contact* point : points.at(pair)) {
      const auto nearest = nearest_alike(bodies, *point, contacts, of_pair);
      if (!nearest) continue;
      const std::size_t row = of_pair[*nearest];
      of_pair.erase(of_pair.begin() + static_cast<std::ptrdiff_t>(*nearest));
      successors[contacts[row].key] = point->key;
      keep_start(contacts[row], point->key, recovered[row]);
    }
  }
  if (successors.empty()) return;
  std::erase_if(contacts, [&](const Contact& row) { return successors.contains(row.key); });
  hand_over(successors, impulses);
}

void StandIns::keep_start(const Contact& row, const ContactKey& successor, double recovered) {
  const auto known = starts_.find(row.key);
  if (known != starts_.end()) starts_[successor] = known->second;
  if (row.key.recursion > 0) return;
  starts_[successor] = {row.key, row.gap, row.on_path};
  if (row.gap >= 0.0) return;
  double& allowed = allowed_[pair_of(row.key)];
  allowed = std::min(allowed, row.gap + recovered);
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
    if (course.overlap && overlap > kLittleLess * *course.overlap) ++course.n_in_vain;
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

ContactList StandIns::known_by_the_start(ContactList contacts) const {
  if (starts_.empty()) return contacts;
  std::vector<Contact> known = contacts.copy();
  for (Contact& row : known) {
    const auto start = starts_.find(row.key);
    if (start == starts_.end()) continue;
    row.key = start->second.key;
    row.gap = start->second.gap;
    row.on_path = start->second.on_path;
  }
  return ContactList(known, contacts.are_of_balls());
}

}  // namespace scree
