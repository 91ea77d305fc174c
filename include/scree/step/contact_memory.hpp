#pragma once

/// The memory of contacts from one step to the next: a named state of the simulation.
///
/// | carried            | for                                                                       |
/// | ---                | ---                                                                       |
/// | force, moment      | the start of the next solve; elastic memory: what the tangential spring holds |
/// | rest gap           | an overlap that the pair came with, at which its spring is at rest; it decays |
/// | touched            | cohesion: only pairs that have touched pull                               |
///
/// Without elastic memory beds creep. Vectors are kept in the world frame; they turn with the pair:
/// by the shortest turn of the normal, then by the mean spin of both bodies about it. They are kept
/// as forces, so that the time step may change.
///
/// Records are keyed by ContactKey. Where the features of a pair change, or are another point's
/// now, the nearest point inherits. A contact stays with its rank while the pair list does
/// (contact/own_pairs.hpp). It may change its owner when skins are made anew: then each record goes
/// to every rank whose region meets the box in which the next owning point must lie, which is
/// mostly the rank that has it.

#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "scree/base/petsc.hpp"
#include "scree/bodies/materials.hpp"
#include "scree/bodies/store.hpp"
#include "scree/contact/contact_list.hpp"
#include "scree/domain/partition.hpp"
#include "scree/problem/assemble.hpp"
#include "scree/problem/contact_problem.hpp"

namespace scree {

/// A box in single precision, which holds the one that it is made of.
class OuterBox {
 public:
  OuterBox() = default;
  explicit OuterBox(const Box3& box) {
    for (int axis = 0; axis < 3; ++axis) {
      low_[axis] = beyond(box.low[axis], -1.0F);
      high_[axis] = beyond(box.high[axis], 1.0F);
    }
  }
  Box3 box() const { return {low_.cast<double>(), high_.cast<double>()}; }
  bool operator==(const OuterBox&) const = default;

 private:
  /// @p x where single precision has it, else a number beyond it on the side of the @p sign, by two
  /// roundings at most: so a box in single precision is its own. No branch: a processor could not
  /// predict it.
  static float beyond(double x, float sign) {
    const float rounded = static_cast<float>(x);
    const float further =
        rounded + sign * (std::numeric_limits<float>::epsilon() * std::abs(rounded) +
                          std::numeric_limits<float>::min());
    return static_cast<double>(rounded) == x ? rounded : further;
  }

  Eigen::Vector3f low_ = Eigen::Vector3f::Zero();
  Eigen::Vector3f high_ = Eigen::Vector3f::Zero();
};

/// The memory of one contact of the last step. The numbers that enter the next step's problem stand
/// first; single precision serves the others: a start of moments, distances that are compared.
struct ContactRecord {
  ContactKey key;
  Vec3 force = Vec3::Zero();    ///< lambda/dt on A, world frame, N
  Vec3 normal = Vec3::UnitZ();  ///< of the contact then
  double rest_gap = 0.0;        ///< m
  std::int32_t touched = 0;     ///< 1: yes
  /// From A's centre to the contact point then, world frame, m.
  Eigen::Vector3f arm = Eigen::Vector3f::Zero();
  /// The moment of rolling and spinning on A, world frame, N m.
  Eigen::Vector3f moment = Eigen::Vector3f::Zero();
  std::int32_t where = -1;  ///< place of its box; -1: nowhere

  /// The square of the distance of @p point, from A's centre, to its own, m^2.
  double squared_distance(const Vec3& point) const {
    return (arm.cast<double>() - point).squaredNorm();
  }
};

/// Records with the boxes in which the owning points of their contacts lie in the next step, or off
/// by less than the skin. Those of a grain share one.
struct ContactRecords {
  std::vector<ContactRecord> all;
  std::vector<OuterBox> boxes;

  OuterBox box(const ContactRecord& record) const {
    return record.where < 0 ? OuterBox() : boxes[static_cast<std::size_t>(record.where)];
  }
  /// The place of @p box, which is added unless it is the last.
  std::int32_t place_of(const OuterBox& box) {
    if (boxes.empty() || boxes.back() != box) boxes.push_back(box);
    return static_cast<std::int32_t>(boxes.size()) - 1;
  }
};

/// The result of a step that is to be remembered.
struct ContactOutcome {
  const ContactList& contacts;
  const FormulatedStep& formulated;
  Vec lambda;  ///< of the problem as it was solved
  Vec total;   ///< lambda, and what impacts before it gave: what the bodies felt
};

/// The records found for contacts.
struct FoundRecords {
  std::vector<const ContactRecord*> of;  ///< each contact; null where it is new
  std::deque<ContactRecord> bare;        ///< those of them that are not the memory's
};

class ContactMemory {
 public:
  /// Drops what contacts of the grains with these @p ids, in order, carry. Not collective.
  void forget(std::span<const std::int64_t> ids);

  /// Sends what other ranks will need with new cuts or skins, where grains may have gone through a
  /// side of the periodic @p cell. Collective. @p skin: skins are wider than boxes by that at most,
  /// m.
  void redistribute(MPI_Comm comm, const Partition& partition, const PeriodicCell& cell = {},
                    double skin = 0.0);

  /// The record of each of @p contacts: its own, unless that of another point of the pair is
  /// clearly nearer; else that of the nearest point of its pair that is not another contact's;
  /// else, where the pair is known, one without a force, of what its nearest point is at rest with.
  /// Valid until the memory changes. Not collective.
  FoundRecords find(ContactView contacts) const;

  /// The records of this rank: between steps, each record is on one rank. Not collective.
  std::span<const ContactRecord> records() const { return records_.all; }
  /// The box of one of them.
  Box3 box(const ContactRecord& record) const { return records_.box(record).box(); }
  /// Gives the records up, so that their storage is used again.
  ContactRecords release() { return std::move(records_); }
  /// Takes over @p records, sorted by key. Not collective.
  void replace(ContactRecords records) { records_ = std::move(records); }
  /// Takes over what records() and box() gave, on any ranks, each record on one. Not collective.
  void restore(ContactRecords records);

 private:
  /// A contact of a pair with records, none of which is surely its own.
  struct OpenContact {
    std::size_t contact;
    const ContactRecord* own;  ///< the record of its features
  };

  void inherit(const ContactView& contacts, std::span<const OpenContact> open,
               FoundRecords& found) const;
  const ContactRecord* inherited(const Contact& contact, const ContactRecord* own,
                                 std::vector<bool>& taken, FoundRecords& found) const;

  ContactRecords records_;  ///< sorted by key
};

}  // namespace scree
