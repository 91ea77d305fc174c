#pragma once

/// The impulses of the last step as the start of the next: a named state of the simulation.
///
/// Kept in the world frame (N s), so that the turning of the contact frames does not matter, and
/// keyed by ContactKey. A contact may change its owner when its bodies move or the cuts do: before
/// the look-up, each impulse goes to every rank whose region meets the box in which the next
/// contact's owning point must lie, which is mostly the rank that has it.

#include <span>
#include <vector>

#include "scree/base/petsc.hpp"
#include "scree/bodies/store.hpp"
#include "scree/contact/contact.hpp"
#include "scree/domain/partition.hpp"
#include "scree/problem/contact_problem.hpp"

namespace scree {

/// An impulse of the last step.
struct KeptImpulse {
  ContactKey key;
  Vec3 impulse;  ///< on A, world frame, N s
  Box3 where;    ///< the owning point of this contact in the next step lies in here
};

class WarmStart {
 public:
  /// Keeps the impulses @p lambda of @p contacts. Not collective.
  /// @param slack how far a contact's owning point may move until the next step, m
  void keep(const Store& store, std::span<const Contact> contacts, const Cones& cones, Vec lambda,
            double slack);

  /// Sends what other ranks will need after migration or new cuts, where grains may have gone through
  /// a side of the periodic @p cell. Collective.
  void redistribute(MPI_Comm comm, const Partition& partition, const PeriodicCell& cell = {});

  /// A start for @p contacts: kept impulses turned into the contact frames, zero for new contacts.
  /// Collective (makes a vector).
  petsc::Vector guess(MPI_Comm comm, std::span<const Contact> contacts, const Cones& cones) const;

  /// What keep() kept on this rank: between steps, each impulse is on one rank. Not collective.
  std::span<const KeptImpulse> kept() const { return kept_; }
  /// Takes over what kept() gave, on any ranks, each impulse on one. Not collective.
  void restore(std::vector<KeptImpulse> kept);

 private:
  std::vector<KeptImpulse> kept_;  ///< sorted by key
};

}  // namespace scree
