#include "next_memory.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "contact_histories.hpp"
#include "scree/problem/natural_map.hpp"

namespace scree {
namespace {

bool is_before(const ContactRecord& a, const ContactRecord& b) {
  return a.key < b.key;
}

/// Whether each contact is closed: the projection by which a solution is measured leaves it an
/// impulse. That of an open one is zero, even where the method's own impulse never quite is.
/// Collective.
std::vector<bool> closed_contacts(const ContactProblem& problem, std::size_t n_contacts,
                                  Vec lambda) {
  std::vector<bool> closed(n_contacts);
  for_each_natural_point(problem, lambda,
                         [&](std::size_t number, const auto& /*impulse*/, const auto& at) {
                           if (number < n_contacts) closed[number] = at.image[0] > 0.0;
                         });
  return closed;
}

/// A pair that touches at a constraint found within the step touches at its points of the start.
/// @pre the points of one pair follow each other, those of the start first
void close_pairs_of_recursions(ContactView contacts, std::vector<bool>& closed) {
  for (std::size_t i = contacts.size(); i-- > 1;) {
    const bool found_later = contacts.key(i).recursion > 0 && closed[i];
    if (found_later && of_one_pair(contacts.key(i), contacts.key(i - 1))) closed[i - 1] = true;
  }
}

/// A spring is known next time whatever it bears: a pair that is new is at rest where it is found.
bool is_worth_keeping(const ContactRecord& record, bool sprung) {
  return sprung || !record.force.isZero(0.0) || !record.moment.isZero(0.0) ||
         record.rest_gap < 0.0 || record.touched != 0;
}

/// The records of the pair of @p key among @p records, sorted by key.
std::span<ContactRecord> records_of_pair(std::vector<ContactRecord>& records,
                                         const ContactKey& key) {
  ContactKey first = key;
  first.feature = std::numeric_limits<std::int64_t>::min();
  first.recursion = 0;
  const auto begin = std::ranges::lower_bound(records, first, {}, &ContactRecord::key);
  const auto end = std::find_if(begin, records.end(),
                                [&](const ContactRecord& r) { return !of_one_pair(r.key, key); });
  return {begin, end};
}

/// Adds springs that were found within the step to the nearest of their pair's start among @p
/// records, as the normal turns from one to the other. The first of a pair that had none at the
/// start stands for it.
void merge(std::span<const ContactRecord> later, std::vector<ContactRecord>& records) {
  for (const ContactRecord& spring : later) {
    const std::span<ContactRecord> pair = records_of_pair(records, spring.key);
    const auto nearest = std::ranges::min_element(
        pair, {}, [&](const ContactRecord& r) { return (r.arm - spring.arm).squaredNorm(); });
    if (nearest == pair.end()) {
      const auto place = std::ranges::lower_bound(records, spring.key, {}, &ContactRecord::key);
      records.insert(place, spring)->key.recursion = 0;
      continue;
    }
    nearest->force += turned_with(spring.normal, nearest->normal, spring.force);
    nearest->moment +=
        turned_with(spring.normal, nearest->normal, spring.moment.cast<double>()).cast<float>();
    nearest->touched = std::max(nearest->touched, spring.touched);
  }
}

}  // namespace

NextMemory::NextMemory(const Store& store, const ContactLaws& laws, const ContactOutcome& outcome,
                       double dt, double slack, ContactRecords storage)
    : store_(store), laws_(laws), per_dt_(1.0 / dt), slack_(slack), records_(std::move(storage)) {
  std::vector<ContactRecord>& all = records_.all;
  if (all.capacity() < outcome.contacts.size()) {
    // the old records end before there are new ones, and more contacts the next time find room
    all = std::vector<ContactRecord>();
    all.reserve(outcome.contacts.size() + outcome.contacts.size() / 16);
  }
  all.resize(std::max(all.size(), outcome.contacts.size()));
  records_.boxes.clear();
  if (laws.largest_rupture_distance() == 0.0) return;
  closed_ = closed_contacts(outcome.formulated.problem, outcome.contacts.size(), outcome.lambda);
  close_pairs_of_recursions(outcome.contacts, closed_);
}

void NextMemory::add(const ContactResult& result) {
  const Contact& contact = result.contact;
  const bool of_start = contact.key.recursion == 0;
  const bool sprung = result.terms.compliant;
  std::vector<ContactRecord>& all = records_.all;
  ContactRecord& record = all[n_records_];
  record.key = contact.key;
  record.force = per_dt_ * result.solved.linear;
  record.moment = (per_dt_ * result.solved.angular).cast<float>();
  record.normal = contact.normal;
  record.arm = contact.arm_a.cast<float>();
  record.where = place_of_box(contact.a);
  record.rest_gap = sprung ? result.terms.rest_gap : 0.0;
  record.touched = (of_start || sprung) && !closed_.empty() && touches(result) ? 1 : 0;
  if (sprung && !of_start) {
    later_.push_back(record);
  } else if (is_worth_keeping(record, sprung)) {
    is_sorted_ = is_sorted_ && (n_records_ == 0 || !is_before(record, all[n_records_ - 1]));
    ++n_records_;
  }
}

/// The place of the box of the grain in @p slot: contacts of one follow each other.
std::int32_t NextMemory::place_of_box(std::int32_t slot) {
  if (slot != last_) {
    last_ = slot;
    const Box3& box = store_.box[slot];
    const Vec3 reach = Vec3::Constant(slack_);
    records_.boxes.emplace_back(Box3{box.low - reach, box.high + reach});
  }
  return static_cast<std::int32_t>(records_.boxes.size()) - 1;
}

/// Whether a cohesive pair touches, or has touched and not parted since.
bool NextMemory::touches(const ContactResult& result) const {
  const Contact& contact = result.contact;
  const PairLaw& law = laws_.law(store_.material[contact.a], store_.material[contact.b]);
  if (law.cohesion == 0.0 || contact.gap > law.rupture_distance) return false;
  const bool hit = result.total.normal > result.solved.normal;
  return result.terms.touched || hit || closed_[result.number];
}

ContactRecords NextMemory::take() {
  records_.all.resize(n_records_);
  // where all contacts are of one type of cone they are in order already
  if (!is_sorted_) std::ranges::sort(records_.all, is_before);
  merge(later_, records_.all);
  return std::move(records_);
}

}  // namespace scree
