#pragma once

/// The contact points of convex bodies that answer to directions alone (convex_shape.hpp): the
/// deepest along the common normal (common_normal.hpp), and where flats or straight lines of both
/// look along it to a hundredth the corners of what these have in common (face_overlap.hpp).
///
/// Features: 1 of the deepest point where it is none of those corners, else what meets there.

#include "convex_shape.hpp"
#include "scree/geometry/pairs/manifold.hpp"
#include "scree/geometry/shapes/plane.hpp"

namespace scree {

/// @pre one of the two has a volume. Not collective, does not throw.
Manifold generic_contact(const ConvexShape& a, const Pose& pose_a, const ConvexShape& b,
                         const Pose& pose_b, double margin);

/// A body and a half space.
Manifold generic_contact(const ConvexShape& a, const Pose& pose_a, const Plane& b,
                         const Pose& pose_b, double margin);

}  // namespace scree
