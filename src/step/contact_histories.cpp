#include "contact_histories.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "contact_impulse.hpp"
#include "scree/base/instructions.hpp"
#include "scree/contact/frame_numbers.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/problem/contact_span.hpp"
#include "scree/problem/frames.hpp"
#include "turn_block.hpp"

namespace scree {
namespace {

/// The history of a contact with this @p gap and without a record. A pair that comes to overlap has
/// been a potential contact before: this one was placed so.
ContactHistory new_history(double gap) {
  return {.rest_gap = std::min(gap, 0.0), .touched = gap <= 0.0};
}

/// The histories of a step's contacts after what they carry.
class Histories {
 public:
  Histories(const Store& store, double dt, double recovered)
      : store_(store), dt_(dt), recovered_(recovered) {}

  /// Writes those of a block of @p contacts, of which the first has the record @p first.
  void write(ContactView contacts, const FoundRecords& records, std::size_t first,
             HistoryBlock& histories) {
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (records.is_new(first + i)) continue;
      const Contact contact = contacts[i];
      turns_.set(i, records.normal(first + i), contact.normal, records.force(first + i),
                 angle_of(contact.a, contact.b, contact.normal));
    }
    turns_.work_out();
    histories.force = turns_.forces;
    histories.turn = turns_.turn;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      write(contacts, records, first + i, i, histories);
    }
  }

 private:
  /// The angle by which the pair turns about its normal.
  double angle_of(std::int32_t a, std::int32_t b, const Vec3& normal) const {
    const Vec3 spin = store_.angular_velocity[a] + store_.angular_velocity[b];
    return 0.5 * dt_ * spin.dot(normal);
  }

  /// @p place: of the contact in the block, whose force and turn are worked out.
  SCREE_INLINE void write(const ContactView& contacts, const FoundRecords& records,
                          std::size_t number, std::size_t place, HistoryBlock& histories) const {
    // of rigid pairs the pulls are those of the first solve
    if (contacts.key(place).recursion > 0) return histories.set(place, {});
    if (records.is_new(number)) return histories.set(place, new_history(contacts[place].gap));
    if (turns_.is_large(place)) {
      histories.force.set(place, far_turned(contacts[place], records[number]));
    }
    histories.rest_gap[place] = std::min(records.rest_gap(number) + recovered_, 0.0);
    histories.stiffness_gap[place] = 0.0;
    histories.touched[place] = records.touched(number);
  }

  /// The force of @p record as the pair has turned since, however far.
  [[gnu::noinline]] Vec3 far_turned(const Contact& contact, const ContactRecord& record) const {
    const Vec3 force = turned_with(record.normal, contact.normal, record.force);
    return Eigen::AngleAxisd(angle_of(contact.a, contact.b, contact.normal), contact.normal) *
           force;
  }

  const Store& store_;
  double dt_;
  double recovered_;
  TurnBlock turns_;
};

/// Forces in the frames of a block of contacts.
class ForceBlock {
 public:
  void set(std::size_t i, const Vec3& normal, const Vec3& force) {
    normal_.set(i, normal);
    force_.set(i, force);
  }

  void work_out() {
    for (std::size_t i = 0; i < kBlock; ++i) in_frame.set(i, in_frame_of(normal_[i], force_[i]));
  }

  Triples in_frame{};

 private:
  Triples normal_{}, force_{};
};

/// The numbers of the @p rows of forces.
void write_forces(const Triple& force, std::span<double> rows) {
  rows[0] = std::max(force.x, 0.0);
  if (rows.size() > 1) rows[1] = force.y;
  if (rows.size() > 2) rows[2] = force.z;
}

}  // namespace

Vec3 turned_with(const Vec3& from, const Vec3& to, const Vec3& x) {
  const double cosine = from.dot(to);
  if (cosine < kOpposite) return rotation_between(from, to) * x;
  return vec3_of(turned(triple_of(x), cross(triple_of(from), triple_of(to)), cosine));
}

HistoryBlocks history_blocks(const Store& store, ContactView contacts, const FoundRecords& records,
                             double dt, double recovered) {
  const auto blocks = std::make_shared<Histories>(store, dt, recovered);
  return HistoryBlocks(
      [=, &records](std::size_t first, std::size_t count, HistoryBlock& histories) {
        run_by(instructions(),
               [&] { blocks->write(contacts.part(first, count), records, first, histories); });
      });
}

std::vector<ContactHistory> histories_of(const Store& store, ContactView contacts,
                                         const FoundRecords& records, double dt, double recovered,
                                         const std::map<ContactKey, ContactHistory>& springs) {
  std::vector<ContactHistory> histories(contacts.size());
  const HistoryBlocks blocks = history_blocks(store, contacts, records, dt, recovered);
  HistoryBlock block{};
  for (std::size_t first = 0; first < contacts.size(); first += kBlock) {
    const std::size_t count = std::min(kBlock, contacts.size() - first);
    blocks.write(first, count, block);
    for (std::size_t i = 0; i < count; ++i) histories[first + i] = block[i];
  }
  if (springs.empty()) return histories;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto spring = springs.find(contacts.key(i));
    if (spring != springs.end()) histories[i] = spring->second;
  }
  return histories;
}

petsc::Vector guess_of(const ContactProblem& problem, ContactView contacts,
                       const FoundRecords& records, double dt) {
  petsc::Vector guess = petsc::duplicate(problem.r.get());
  const ContactSpan span(problem, contacts.size());
  const petsc::View lambda(guess.get());
  ForceBlock forces;
  run_by(instructions(), [&] {
    for (std::size_t first = 0; first < contacts.size(); first += kBlock) {
      const std::size_t end = std::min(first + kBlock, contacts.size());
      for (std::size_t i = first; i < end; ++i) {
        forces.set(i - first, contacts[i].normal,
                   records.is_new(i) ? Vec3::Zero() : Vec3(dt * records.force(i)));
      }
      forces.work_out();
      for (std::size_t i = first; i < end; ++i) {
        const std::span<double> rows = span.of(i, lambda.span());
        write_forces(forces.in_frame[i - first], rows);
        if (rows.size() <= kForceRows || records.is_new(i)) continue;
        write_moment(contacts[i], dt * records[i].moment.cast<double>(), span.length(i), rows);
      }
    }
  });
  return guess;
}

}  // namespace scree
