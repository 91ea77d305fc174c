#pragma once

/// The inertia of a body that impulses meet, in which some degrees of freedom are held.
///
/// Held degrees of freedom are zero rows and columns of the inverse. Where only some rotations are
/// held, the others get the inverse of what is left of R I R^T: the body answers as one that a
/// bearing holds, not as one whose held acceleration was cut off afterwards. The same holds for
/// translations where m differs by axis, as a fluid's drag makes it.
///
/// | symbol  | meaning                                    | unit          |
/// | ---     | ---                                        | ---           |
/// | R       | orientation                                | 1             |
/// | m, I    | principal masses and moments, body frame   | kg, kg m^2    |

#include <cstdint>

#include "scree/base/math.hpp"
#include "scree/bodies/store.hpp"

namespace scree {

/// Mass and moments of inertia of a body, or what takes their place in a step (step/stepper.hpp).
struct BodyInertia {
  Vec3 masses = Vec3::Zero();  ///< along the principal axes, body frame, kg; all alike but for drag
  Vec3 moments = Vec3::Zero();  ///< principal, body frame, kg m^2
};

/// Whether the tensor with these @p principal values is the same in all frames.
inline bool is_isotropic(const Vec3& principal) {
  return principal.x() == principal.y() && principal.y() == principal.z();
}

/// Whether the degree of freedom @p dof of six, linear then angular, is held. Not collective, as
/// all here.
inline bool is_held(const Store& store, std::int32_t slot, int dof) {
  return (store.fixed[slot] >> dof & 1) != 0;
}

/// The body's own mass and moments.
inline BodyInertia own_inertia(const Store& store, std::int32_t slot) {
  return {Vec3::Constant(store.mass[slot]), store.inertia[slot]};
}

/// Inverse of the inertia tensor of the grain in @p slot, world frame, 1/(kg m^2), zero in rows and
/// columns of held rotations. @param moments principal, in its body frame
Mat3 inverse_inertia(const Store& store, std::int32_t slot, const Vec3& moments);

/// M^-1 of the body in @p slot, owned or ghost, linear, then angular, world frame, 1/kg and 1/(kg
/// m^2).
Mat6 inverse_mass_of(const Store& store, std::int32_t slot, const BodyInertia& inertia);

}  // namespace scree
