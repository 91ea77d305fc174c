#pragma once

/// Whether two bodies are clearly apart, for a small part of what their points of contact take.

#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/shape_list.hpp"

namespace scree {

class ShapeLibrary;

/// Whether a plane with both bodies at least @p gap (m) apart across it is found within a few steps
/// of Gilbert, Johnson and Keerthi's iteration (generic/apart.hpp): true is certain, false says
/// nothing. It is looked for from cylinders, cones, superellipsoids and rings (by their hulls),
/// whose contact points take many times as long, to each other and to all other convex bodies but
/// balls. Not collective, does not throw.
bool is_plane_between(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                      const ShapeLibrary& library, double gap);

}  // namespace scree
