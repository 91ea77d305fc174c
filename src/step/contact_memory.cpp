#include "scree/step/contact_memory.hpp"

#include <algorithm>
#include <limits>
#include <ranges>
#include <utility>

#include "scree/base/parallel.hpp"
#include "shared_records.hpp"

namespace scree {

void ContactMemory::restore(ContactRecords records) {
  records_ = std::move(records);
  if (!records_.are_sorted()) records_.sort();  // sorted where all contacts are of one type of cone
  records_.erase_if([this](std::size_t i) {
    return i > 0 && records_.key(i - 1) == records_.key(i);  // of a step that was not taken
  });
}

void ContactMemory::forget(std::span<const std::int64_t> ids) {
  if (ids.empty()) return;
  const auto has = [ids](std::int64_t id) {
    return std::binary_search(ids.begin(), ids.end(), id);
  };
  records_.erase_if([&](std::size_t i) {
    const ContactKey key = records_.key(i);
    return has(key.id_a) || has(key.id_b);
  });
}

void ContactMemory::redistribute(const Partition& partition, const PeriodicCell& cell,
                                 double skin) {
  if (size_of(partition.comm()) == 1) return;
  NextOwners next_owners(partition, cell, skin);
  RankBytes outgoing;
  std::vector<int> ranks;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const bool shares_box = i > 0 && records_.place(i) == records_.place(i - 1);
    if (!shares_box) ranks = next_owners.of(records_.box(records_[i]).box());
    for (const int rank : ranks) {
      append_record(outgoing[rank], BoxedRecord{records_[i], records_.box(records_[i])});
    }
  }
  records_.merge(exchanged<BoxedRecord>(partition.comm(), outgoing, &BoxedRecord::key));
}

/// The first record of the pair of @p key, or where it would be.
std::size_t ContactMemory::first_of_pair(const ContactKey& key) const {
  ContactKey first = key;
  first.feature = std::numeric_limits<std::int64_t>::min();
  first.recursion = 0;
  const auto all = std::views::iota(std::size_t{0}, records_.size());
  const auto of = [this](std::size_t i) { return records_.key(i); };
  return static_cast<std::size_t>(std::ranges::lower_bound(all, first, {}, of) - all.begin());
}

/// Gives a contact that has no record of its features, or one to which another point is nearer, the
/// nearest that is free; see find().
void ContactMemory::give_nearest(const Contact& contact, const OpenContact& open,
                                 std::vector<bool>& taken, FoundRecords& found) const {
  // of the arm: what is further off is another point, which bears on its own
  constexpr double kNear = 0.3;
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const std::size_t none = records_.size();
  std::size_t nearest = none;
  std::size_t nearest_free = none;
  double least = kNone;
  double least_free = kNear * kNear * contact.arm_a.squaredNorm();
  for (std::size_t i = first_of_pair(contact.key); is_of_pair(i, contact.key); ++i) {
    const ContactRecord record = records_[i];
    if (record.key.recursion > 0) continue;
    const double distance = record.squared_distance(contact.arm_a);
    if (distance < least) {
      least = distance;
      nearest = i;
    }
    if (distance < least_free && !taken[i]) {
      least_free = distance;
      nearest_free = i;
    }
  }
  if (nearest_free == none && open.own != none && !taken[open.own]) nearest_free = open.own;
  if (nearest_free != none) {
    taken[nearest_free] = true;
    found.set(open.contact, nearest_free);
  } else if (nearest != none) {
    const ContactRecord near = records_[nearest];
    found.set_other(open.contact,
                    {.normal = contact.normal, .rest_gap = near.rest_gap, .touched = near.touched});
  }
}

/// Finds the records of the contacts that are @p open, when all others have theirs.
void ContactMemory::inherit(const ContactView& contacts, std::span<const OpenContact> open,
                            FoundRecords& found) const {
  if (open.empty()) return;
  std::vector<bool> taken(records_.size(), false);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found.place(i) >= 0) taken[static_cast<std::size_t>(found.place(i))] = true;
  }
  for (const OpenContact& one : open) give_nearest(contacts[one.contact], one, taken, found);
}

/// Whether the pair of @p record has others.
SCREE_INLINE bool ContactMemory::has_others(std::size_t record) const {
  const std::size_t next = record + 1;
  return (record > 0 && records_.are_of_one_pair(record - 1, record)) ||
         (next < records_.size() && records_.are_of_one_pair(record, next));
}

/// Whether a record of another of the pair's points is clearly nearer to a contact with this @p arm
/// than @p own, which has its features.
bool ContactMemory::another_is_nearer(std::size_t own, const Vec3& arm) const {
  constexpr double kClearly = 0.25;  // of the squares
  const ContactKey key = records_.key(own);
  const double near = kClearly * records_[own].squared_distance(arm);
  const auto is_nearer = [&](std::size_t other) {
    const ContactRecord record = records_[other];
    return record.key.recursion == 0 && record.squared_distance(arm) < near;
  };
  for (std::size_t other = own; other > 0 && is_of_pair(other - 1, key); --other) {
    if (is_nearer(other - 1)) return true;
  }
  for (std::size_t other = own + 1; is_of_pair(other, key); ++other) {
    if (is_nearer(other)) return true;
  }
  return false;
}

FoundRecords ContactMemory::find(ContactView contacts) const {
  FoundRecords found(contacts.size(), records_);
  std::vector<OpenContact> open;
  const std::size_t none = records_.size();
  std::size_t record = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ContactKey key = contacts.key(i);
    std::size_t own = has_key(record, key) ? record : none;
    if (own == none) {  // seldom: mostly contacts are those of the last step
      // contacts are sorted by key within each type of cone
      if (i > 0 && key < contacts.key(i - 1)) record = 0;
      while (record < none && records_.key(record) < key) ++record;
      if (has_key(record, key)) own = record;
    }
    if (own != none &&
        (key.recursion > 0 || !has_others(own) || !another_is_nearer(own, contacts[i].arm_a))) {
      found.set(i, own);
      record = own + 1;
      continue;
    }
    const bool is_known = is_of_pair(record, key) || (record > 0 && is_of_pair(record - 1, key));
    if (is_known && key.recursion == 0) open.push_back({i, own});
  }
  inherit(contacts, open, found);
  return found;
}

}  // namespace scree
