#pragma once

#include "scree/geometry/pairs/manifold.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/capsule.hpp"

namespace scree {

/// Two capsules: the nearest points of their segments and, where these are parallel to within a
/// tenth, both ends of the stretch over which they lie side by side.
Manifold capsule_contact(const Capsule& a, const Pose& pose_a, const Capsule& b, const Pose& pose_b,
                         double margin);

}  // namespace scree
