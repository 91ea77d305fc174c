#pragma once

/// The deepest point of an ellipsoid and another shape.
///
/// With the outward normal m of the ellipsoid (semi-axes a, in its principal frame, about its
/// centre) the separation of the ellipsoid A from a convex shape B is
///
///     gap = max over unit m of G(m),    G(m) = min over p in B of m . p - h(m),   h(m) = |a o m|
///
/// which is the distance when they are apart and minus the least translation that parts them when
/// they overlap (m = -n, the normal n of a contact point points from B to A). Apart, the maximum is
/// the only one on the sphere where G > 0. Overlapping, G may have several local maxima, but
///
///     a stationary m with -G(m) <= r is the global maximum,   r = c^2 / a_max + (the same of B)
///
/// with the least radius of curvature r: a ball of that radius rolls everywhere inside the
/// Minkowski difference of the two (Blaschke), so that from a depth up to r no other way out is
/// shorter. Beyond r every candidate is tried. A rounding radius of B is taken off the gap at the
/// end; it changes no normal.
///
/// Every routine gives one point with feature 0, but for shapes that are found to be far apart.
/// None allocates or throws; one that has not converged says so in the manifold's status. Not
/// collective.

#include "scree/geometry/hulls/hull.hpp"
#include "scree/geometry/pairs/manifold.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"

namespace scree {

/// A half space that ends at @p on_plane, with the free side along the unit @p normal (world
/// frame).
Manifold ellipsoid_and_plane(const Ellipsoid& a, const Pose& pose_a, const Vec3& normal,
                             const Vec3& on_plane);

/// A ball about @p centre (world frame); of radius 0 a point.
Manifold ellipsoid_and_ball(const Ellipsoid& a, const Pose& pose_a, const Vec3& centre,
                            double radius);

/// All that is within @p radius of the segment from @p start to @p end (world frame).
Manifold ellipsoid_and_capsule(const Ellipsoid& a, const Pose& pose_a, const Vec3& start,
                               const Vec3& end, double radius);

/// No point where they are further apart than @p far, m.
Manifold ellipsoid_and_ellipsoid(const Ellipsoid& a, const Pose& pose_a, const Ellipsoid& b,
                                 const Pose& pose_b, double far = kNeverFar);

/// All that is within @p radius of @p hull, whose vertices are multiplied by @p stretch first.
/// @pre the three are equal, or the faces stand across the axes (a cuboid of edges 2 made a box)
Manifold ellipsoid_and_hull(const Ellipsoid& a, const Pose& pose_a, const Hull& hull,
                            const Vec3& stretch, const Pose& pose_b, double radius);

}  // namespace scree
