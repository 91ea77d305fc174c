#pragma once

/// How far the bodies of a contact close on each other in a step.
///
/// The problem of a step knows a contact by the normal and the gap at its start. That is right for a body that goes
/// less than its own size; one that goes further could be thrown off its way by an edge that it misses, and what meets
/// at the end of a long way would have arms to match. A contact counts here if the step would close it,
/// dt u_n,free < -phi: all others take no part.

#include <span>

#include "scree/bodies/store.hpp"
#include "scree/contact/contact.hpp"

namespace scree {

/// Part of a grain's radius that contacts may close in a step. A grain that misses another body by that much is
/// not held by it, since its gap is never less.
inline constexpr double kMostApproach = 1.0;

struct Approach {
  double radii = 0.0;         ///< -dt u_n,free over the smaller bounding radius of its grains
  double speed = 0.0;         ///< -u_n,free, m/s
  std::int64_t id = -1;       ///< of its A, a grain
  Vec3 where = Vec3::Zero();  ///< centre of A, m
};

/// The fastest of this rank's @p contacts that the step would close. Not collective. @pre store.free_velocity and
/// the tools' velocities are those of the step.
Approach fastest_approach(const Store& store, std::span<const Contact> contacts, double dt);

}  // namespace scree
