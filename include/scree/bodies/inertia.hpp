#pragma once

/// What impulses meet in a body: its inertia, in which some degrees of freedom are held.
///
/// Held degrees of freedom are zero rows and columns of the inverse. Where only some rotations are held, the others
/// get the inverse of what is left of R I R^T: the body answers as one that a bearing holds, not as one whose held
/// acceleration was cut off afterwards.
///
/// | symbol | meaning                        | unit      |
/// | ---    | ---                            | ---       |
/// | R, I   | orientation, principal moments | 1, kg m^2 |

#include <cstdint>

#include "scree/base/math.hpp"
#include "scree/bodies/store.hpp"

namespace scree {

/// Mass and moments of inertia of a body, or what takes their place in a step (step/stepper.hpp).
struct BodyInertia {
  double mass = 0.0;            ///< kg
  Vec3 moments = Vec3::Zero();  ///< principal, body frame, kg m^2
};

/// Whether the degree of freedom @p dof of six, linear then angular, is held. Not collective, as all here.
inline bool is_held(const Store& store, std::int32_t slot, int dof) {
  return (store.fixed[slot] >> dof & 1) != 0;
}

/// The body's own mass and moments.
inline BodyInertia own_inertia(const Store& store, std::int32_t slot) {
  return {store.mass[slot], store.inertia[slot]};
}

/// Inverse of the inertia tensor of the grain in @p slot, world frame, 1/(kg m^2), zero in rows and columns of held
/// rotations. @param moments principal, in its body frame
Mat3 inverse_inertia(const Store& store, std::int32_t slot, const Vec3& moments);

}  // namespace scree
