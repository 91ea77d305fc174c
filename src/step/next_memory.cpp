#include "next_memory.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "contact_histories.hpp"
#include "scree/base/instructions.hpp"
#include "scree/problem/natural_map.hpp"

namespace scree {
namespace {

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
  return sprung || !record.force.isZero(0.0) || !record.moment.isZero(0.0) || record.touched != 0;
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
    : store_(store),
      laws_(laws),
      per_dt_(1.0 / dt),
      contacts_(outcome.contacts),
      are_of_balls_(outcome.contacts.are_of_balls()),
      records_(std::move(storage)) {
  records_.restart(outcome.contacts.size());
  write_boxes(store, slack);
  if (laws.largest_rupture_distance() == 0.0) return;
  closed_ = closed_contacts(outcome.formulated.problem, outcome.contacts.size(), outcome.lambda);
  close_pairs_of_recursions(outcome.contacts, closed_);
}

/// Boxes of all slots, though some have no contact: so that a contact's is at the slot of its A.
void NextMemory::write_boxes(const Store& store, double slack) {
  const Vec3 reach = Vec3::Constant(slack);
  std::vector<OuterBox>& boxes = records_.boxes();
  boxes.resize(store.box.size());
  for (std::int32_t slot = store.n_tools; slot < store.size(); ++slot) {
    const Box3& box = store.box[slot];
    boxes[static_cast<std::size_t>(slot)] = OuterBox({box.low - reach, box.high + reach});
  }
}

void NextMemory::add(const ResultBlock& block) {
  run_by(instructions(), [&] {
    for (std::size_t i = 0; i < block.size(); ++i) {
      const bool sprung = block.terms.is_compliant(block.first + i);
      ContactRecord record = record_of(block, i, sprung);
      const bool of_start = record.key.recursion == 0;
      if (!closed_.empty()) record.touched = (of_start || sprung) && touches(block[i]) ? 1 : 0;
      if (sprung && !of_start) {
        later_.push_back(record);
      } else if (is_worth_keeping(record, sprung)) {
        records_.push_back(record);
      }
    }
  });
}

/// The record of contact @p i of a block, as of a pair that does not pull.
SCREE_INLINE ContactRecord NextMemory::record_of(const ResultBlock& block, std::size_t i,
                                                 bool sprung) const {
  ContactRecord record{.key = block.contacts.key(i),
                       .force = per_dt_ * vec3_of(block.solved.linear()[i]),
                       .normal = vec3_of(block.frames.normal[i]),
                       .rest_gap = sprung ? block.terms.rest_gap(block.first + i) : 0.0,
                       .moment = (per_dt_ * block.solved.angular(i)).cast<float>(),
                       .where = block.frames.a[i]};
  if (!is_one_point_of_balls(block.first + i)) {
    record.arm = block.contacts[i].arm_a.cast<float>();
  }
  return record;
}

/// Whether the contact with this @p number, as those of balls, is the only one of its pair: two
/// balls have no other, a ball and a tool may.
SCREE_INLINE bool NextMemory::is_one_point_of_balls(std::size_t number) const {
  if (!are_of_balls_) return false;
  if (contacts_.are_single() || !store_.is_prescribed(contacts_.b(number))) return true;
  const ContactKey key = contacts_.key(number);
  const auto is_of_pair = [&](std::size_t other) {
    return other < contacts_.size() && of_one_pair(contacts_.key(other), key);
  };
  return !is_of_pair(number + 1) && (number == 0 || !is_of_pair(number - 1));
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
  if (!contacts_.are_sorted()) records_.sort();
  if (!later_.empty()) {
    std::vector<ContactRecord> all = records_.copy();
    merge(later_, all);
    records_.replace(all);
  }
  return std::move(records_);
}

}  // namespace scree
