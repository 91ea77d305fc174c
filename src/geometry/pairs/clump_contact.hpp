#pragma once

/// Clumps and other shapes: the contact points of their parts that are on the surface of the union.
///
/// A point p of a part, with the way out n there, is on that where no other part is nearer to p + d
/// n than d, for a small length d: else it is inside of another part, or an edge at a seam along
/// which the surface goes on flat or turns up, and what slides over the seam would be held by an
/// edge that is not there. Where bodies are apart their nearest points are never hidden; where they
/// overlap the deepest may be, and the deepest of the others comes first. Where all are, all count.
///
/// Features: the number of the part, then the part's own, on a clump's side; the other's feature.

#include "scree/geometry/pairs/manifold.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/clump.hpp"

namespace scree {

/// A clump and any other shape. The points as those of contacts_between().
Manifold clump_contact(const ScaledClump& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                       double margin);

/// Two clumps, each part with each.
Manifold clumps_contact(const ScaledClump& a, const Pose& pose_a, const ScaledClump& b,
                        const Pose& pose_b, double margin);

}  // namespace scree
