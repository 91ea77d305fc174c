#pragma once

/// A ring and another shape: the local minima along the ring's circle c(t) of the distance to B.
///
/// A point, a segment and a circle with a rounding radius r_B (ball, capsule, ring) are taken by
/// their distance D >= 0 from c(t), everything else by its signed distance d, which is negative
/// inside:
///
///     gap = min over t of D(c(t)) - r_B - r    or    min over t of d(c(t)) - r
///
/// r being the ring's minor radius, R its major radius and o its centre in B's frame. For rounded
/// shapes F = D^2 / 2 is minimised, which is smooth where the circle meets the core and has
/// F'' >= -R (|o| + R) before a convex core, F'' <= R (|o_xy| + R_B) before a circle of radius R_B;
/// d of a convex body is convex, so that d'' >= -R; of a round hole's wall d'' <= R. A hole's rims
/// and meshes have no such bound: minima there that are nearer to each other than the samples of
/// circle_minima.hpp may be taken for one. Where the circle is inside B the depth is that of its
/// deepest point, not the way that the ring would have to go to come free, which for a ring may be
/// round a corner.
///
/// Every local minimum below the margin is a contact point. Where the ring lies along B (flat on a
/// plane, on a ring of its size, a ball in its hole) the minima alone would let it tip: the ball of
/// radius r about the middle of each quarter of the ring that has no minimum touches B too, as part
/// of the ring, and is a contact point when its gap is below the margin. Where the distance is
/// constant to rounding these are all, and lie still in the ring. On a bar narrower than the ring,
/// of each arc that lies on it both ends are minima as long as it is level to rounding, one end
/// otherwise.
///
/// The points of a minimum are on both surfaces, and its normal is across the circle to 1e-12 (not
/// where it is on a ridge of d deep inside a polytope). The status is not_converged where an angle
/// was not found to rounding or the pair is no numbers.
///
/// Features: the quarter of the ring, and which minimum of it.

#include "scree/geometry/pairs/manifold.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/ring.hpp"

namespace scree {

/// The deepest point of a ring and B, and the others that @p margin asks for. For every shape but
/// clusters.
template <class B>
Manifold ring_contact(const Ring& ring, const Pose& pose, const B& b, const Pose& pose_b,
                      double margin);

}  // namespace scree
