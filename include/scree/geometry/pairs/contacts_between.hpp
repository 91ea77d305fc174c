#pragma once

/// The contact points of two shapes.
///
/// The gap of two convex shapes A and B is, apart and overlapping alike,
///
///     gap = max over unit n of g(n),    g(n) = -h_A(-n) - h_B(n)
///
/// with the support functions h(n) = max of n . x over the shape, in world coordinates: the
/// distance when they are apart, minus the least translation that parts them when they overlap.
/// Each shape is a core (a point, a segment or a polytope) with a rounding radius r, and g = g_core
/// - r_A - r_B.
///
/// Apart, the cores' nearest points come from Gilbert, Johnson and Keerthi's iteration, and the gap
/// is taken anew from the features found. Overlapping (or so near that the iteration cannot tell),
/// the maximum lies at a face's normal or at the cross product of two edges whose arcs on the Gauss
/// map cross, and all of them are tried. Where the normal is a face's, or within a hundredth of
/// one, the face of the other shape that looks at it is clipped against it (Sutherland and
/// Hodgman), and each point so found comes with its own gap along that face's normal.
///
/// Rings and clusters are not convex and have no such gap: what they have is the least gap of the
/// balls that they are made of (ring_contact.hpp, cluster_contact.hpp), the same when apart, and
/// all of its local minima are points. The solids around round holes are not, either
/// (hole_contact.hpp), nor are clumps, whose parts are met one by one (clump_contact.hpp).
///
/// References: Gilbert, Johnson and Keerthi, IEEE J. Robotics and Automation 4 (1988) 193;
/// Sutherland and Hodgman, Comm. ACM 17 (1974) 32; Gregorius, Game Developers Conference (2013).

#include <string_view>

#include "scree/geometry/pairs/manifold.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/shape_list.hpp"

namespace scree {

class ShapeLibrary;

/// The points of @p a and @p b: the deepest, and others where their gap is below @p margin (m).
/// There may be none where the gap is above @p far (m): a routine may end when it has found that.
/// Not collective.
/// @throws Failure for two walls, which do not meet
Manifold contacts_between(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                          const ShapeLibrary& library, double margin, double far = kNeverFar);

}  // namespace scree
