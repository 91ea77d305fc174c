#include "scree/step/contact_memory.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "scree/base/parallel.hpp"
#include "shared_records.hpp"

namespace scree {
namespace {

/// Where all contacts are of one type of cone they are in order already.
void sort_by_key(std::vector<ContactRecord>& records) {
  const auto before = [](const ContactRecord& a, const ContactRecord& b) { return a.key < b.key; };
  if (std::is_sorted(records.begin(), records.end(), before)) return;
  std::sort(records.begin(), records.end(), before);
}

/// Whether a record of another of the pair's points is clearly nearer to contact @p i than @p own,
/// which has its features.
bool another_is_nearer(std::span<const ContactRecord> records, const ContactRecord& own,
                       const ContactView& contacts, std::size_t i) {
  constexpr double kClearly = 0.25;  // of the squares
  const auto is_nearer = [&](const ContactRecord& r) {
    const Vec3 arm = contacts[i].arm_a;
    const double near = kClearly * own.squared_distance(arm);
    return r.key.recursion == 0 && r.squared_distance(arm) < near;
  };
  const ContactRecord* const begin = records.data();
  const ContactRecord* const end = begin + records.size();
  for (const ContactRecord* r = &own; r != begin && of_one_pair(r[-1].key, own.key); --r) {
    if (is_nearer(r[-1])) return true;
  }
  for (const ContactRecord* r = &own + 1; r != end && of_one_pair(r->key, own.key); ++r) {
    if (is_nearer(*r)) return true;
  }
  return false;
}

/// A record on its way, with its box.
struct SentRecord {
  ContactRecord record;
  OuterBox where;
};
Box3 box_of(const SentRecord& sent) {
  return sent.where.box();
}

}  // namespace

void ContactMemory::restore(ContactRecords records) {
  records_ = std::move(records);
  sort_by_key(records_.all);
}

void ContactMemory::forget(std::span<const std::int64_t> ids) {
  if (ids.empty()) return;
  const auto has = [ids](std::int64_t id) {
    return std::binary_search(ids.begin(), ids.end(), id);
  };
  std::erase_if(records_.all,
                [&has](const ContactRecord& r) { return has(r.key.id_a) || has(r.key.id_b); });
}

void ContactMemory::redistribute(MPI_Comm comm, const Partition& partition,
                                 const PeriodicCell& cell, double skin) {
  if (size_of(comm) == 1) return;
  std::vector<SentRecord> sent;
  sent.reserve(records_.all.size());
  for (const ContactRecord& record : records_.all) sent.push_back({record, records_.box(record)});
  records_ = {};
  share_records(comm, partition, cell, skin, sent);
  const auto key = [](const SentRecord& one) -> const ContactKey& { return one.record.key; };
  std::ranges::sort(sent, {}, key);
  // a step that was not taken may have sent them before
  const auto [first_twice, end] = std::ranges::unique(sent, {}, key);
  sent.erase(first_twice, end);
  records_.all.reserve(sent.size());
  for (const SentRecord& one : sent) {
    records_.all.push_back(one.record);
    records_.all.back().where = records_.place_of(one.where);
  }
}

/// For a contact that has no record of its features, or has @p own, to which another point is
/// nearer; see find().
const ContactRecord* ContactMemory::inherited(const Contact& contact, const ContactRecord* own,
                                              std::vector<bool>& taken, FoundRecords& found) const {
  // of the arm: what is further off is another point, which bears on its own
  constexpr double kNear = 0.3;
  constexpr double kNone = std::numeric_limits<double>::infinity();
  ContactKey first = contact.key;
  first.feature = std::numeric_limits<std::int64_t>::min();
  const auto before = [](const ContactRecord& r, const ContactKey& key) { return r.key < key; };
  const std::vector<ContactRecord>& records = records_.all;
  auto record = std::lower_bound(records.begin(), records.end(), first, before);
  const ContactRecord* nearest = nullptr;
  const ContactRecord* nearest_free = nullptr;
  double least = kNone;
  double least_free = kNear * kNear * contact.arm_a.squaredNorm();
  for (; record != records.end() && of_one_pair(record->key, contact.key); ++record) {
    if (record->key.recursion > 0) continue;
    const double distance = record->squared_distance(contact.arm_a);
    if (distance < least) {
      least = distance;
      nearest = &*record;
    }
    if (distance < least_free && !taken[record - records.begin()]) {
      least_free = distance;
      nearest_free = &*record;
    }
  }
  if (nearest_free == nullptr && own != nullptr && !taken[own - records.data()]) {
    nearest_free = own;
  }
  if (nearest_free != nullptr) {
    taken[nearest_free - records.data()] = true;
    return nearest_free;
  }
  if (nearest == nullptr) return nullptr;
  ContactRecord& bare = found.bare.emplace_back();
  bare.normal = contact.normal;
  bare.rest_gap = nearest->rest_gap;
  bare.touched = nearest->touched;
  return &bare;
}

/// Finds the records of the contacts that are @p open, when all others have theirs.
void ContactMemory::inherit(const ContactView& contacts, std::span<const OpenContact> open,
                            FoundRecords& found) const {
  if (open.empty()) return;
  std::vector<bool> taken(records_.all.size(), false);
  for (const ContactRecord* record : found.of) {
    if (record != nullptr) taken[record - records_.all.data()] = true;
  }
  for (const OpenContact& one : open) {
    found.of[one.contact] = inherited(contacts[one.contact], one.own, taken, found);
  }
}

FoundRecords ContactMemory::find(ContactView contacts) const {
  FoundRecords found{std::vector<const ContactRecord*>(contacts.size(), nullptr), {}};
  const std::vector<ContactRecord>& records = records_.all;
  std::vector<OpenContact> open;
  const ContactRecord* const begin = records.data();
  const ContactRecord* const end = begin + records.size();
  const ContactRecord* record = begin;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ContactKey key = contacts.key(i);
    const ContactRecord* own = record != end && record->key == key ? record : nullptr;
    if (own == nullptr) {  // seldom: mostly contacts are those of the last step
      // contacts are sorted by key within each type of cone
      if (i > 0 && key < contacts.key(i - 1)) record = begin;
      while (record != end && record->key < key) ++record;
      if (record != end && record->key == key) own = record;
    }
    if (own != nullptr && (key.recursion > 0 || !another_is_nearer(records, *own, contacts, i))) {
      found.of[i] = own;
      record = own + 1;
      continue;
    }
    const bool is_known = (record != end && of_one_pair(record->key, key)) ||
                          (record != begin && of_one_pair(record[-1].key, key));
    if (is_known && key.recursion == 0) open.push_back({i, own});
  }
  inherit(contacts, open, found);
  return found;
}

}  // namespace scree
