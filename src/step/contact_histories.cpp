#include "contact_histories.hpp"

#include <algorithm>
#include <cmath>

#include "contact_impulse.hpp"
#include "scree/base/instructions.hpp"
#include "scree/contact/frame_numbers.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/problem/contact_span.hpp"
#include "scree/problem/frames.hpp"
#include "turn_block.hpp"

namespace scree {
namespace {

/// The history of a contact without a record. A pair that comes to overlap has been a potential
/// contact before: this one was placed so.
void write_new(const Contact& contact, ContactHistory& history) {
  history.rest_gap = std::min(contact.gap, 0.0);
  history.touched = contact.gap <= 0.0;
}

/// The histories of a step's contacts after what they carry.
class Histories {
 public:
  Histories(const Store& store, double dt, double recovered)
      : store_(store), dt_(dt), recovered_(recovered) {}

  /// Appends those of a block of @p contacts.
  void append(std::span<const Contact> contacts, std::span<const ContactRecord* const> records,
              std::vector<ContactHistory>& histories) {
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (records[i] != nullptr) {
        turns_.set(i, records[i]->normal, contacts[i].normal, records[i]->force,
                   angle_of(contacts[i]));
      }
    }
    turns_.work_out();
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      write(contacts[i], records[i], i, histories.emplace_back());
    }
  }

 private:
  /// The angle by which the pair turns about its normal.
  double angle_of(const Contact& contact) const {
    const Vec3 spin = store_.angular_velocity[contact.a] + store_.angular_velocity[contact.b];
    return 0.5 * dt_ * spin.dot(contact.normal);
  }

  /// @p place: of the contact in the block.
  void write(const Contact& contact, const ContactRecord* record, std::size_t place,
             ContactHistory& history) const {
    // of rigid pairs the pulls are those of the first solve
    if (contact.key.recursion > 0) return;
    if (record == nullptr) return write_new(contact, history);
    history.force =
        turns_.is_large(place) ? far_turned(contact, *record) : vec3_of(turns_.forces[place]);
    history.rest_gap = std::min(record->rest_gap + recovered_, 0.0);
    history.turn = turns_.turn[place];
    history.touched = record->touched != 0;
  }

  /// The force of @p record as the pair has turned since, however far.
  [[gnu::noinline]] Vec3 far_turned(const Contact& contact, const ContactRecord& record) const {
    const Vec3 force = turned_with(record.normal, contact.normal, record.force);
    return Eigen::AngleAxisd(angle_of(contact), contact.normal) * force;
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

std::vector<ContactHistory> histories_of(const Store& store, std::span<const Contact> contacts,
                                         std::span<const ContactRecord* const> records, double dt,
                                         double recovered,
                                         const std::map<ContactKey, ContactHistory>& springs) {
  std::vector<ContactHistory> histories;
  histories.reserve(contacts.size());
  Histories blocks(store, dt, recovered);
  run_by(instructions(), [&] {
    for (std::size_t first = 0; first < contacts.size(); first += kBlock) {
      const std::size_t count = std::min(kBlock, contacts.size() - first);
      blocks.append(contacts.subspan(first, count), records.subspan(first, count), histories);
    }
  });
  if (springs.empty()) return histories;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto spring = springs.find(contacts[i].key);
    if (spring != springs.end()) histories[i] = spring->second;
  }
  return histories;
}

petsc::Vector guess_of(const ContactProblem& problem, std::span<const Contact> contacts,
                       std::span<const ContactRecord* const> records, double dt) {
  petsc::Vector guess = petsc::make_vector(problem.comm, problem.cones.rows());
  const ContactSpan span(problem, contacts.size());
  const petsc::View lambda(guess.get());
  ForceBlock forces;
  run_by(instructions(), [&] {
    for (std::size_t first = 0; first < contacts.size(); first += kBlock) {
      const std::size_t end = std::min(first + kBlock, contacts.size());
      for (std::size_t i = first; i < end; ++i) {
        const bool is_new = records[i] == nullptr;
        forces.set(i - first, contacts[i].normal,
                   is_new ? Vec3::Zero() : Vec3(dt * records[i]->force));
      }
      forces.work_out();
      for (std::size_t i = first; i < end; ++i) {
        const std::span<double> rows = span.of(i, lambda.span());
        write_forces(forces.in_frame[i - first], rows);
        if (rows.size() <= kForceRows || records[i] == nullptr) continue;
        write_moment(contacts[i], dt * records[i]->moment.cast<double>(), span.length(i), rows);
      }
    }
  });
  return guess;
}

}  // namespace scree
