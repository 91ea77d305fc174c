#pragma once

#include <vector>

#include "core.hpp"
#include "scree/geometry/pairs/manifold.hpp"

namespace scree {

/// A core in its shape's place in the world.
struct PlacedShape {
  CoreShape shape;
  const Pose& pose;
};

/// The contact points of two convex shapes of which at least one has faces: see contacts_between.
Manifold convex_contact(const PlacedShape& a, const PlacedShape& b, double margin,
                        double far = kNeverFar);

/// Puts the deepest point first and removes all others whose gap is beyond @p margin.
void drop_beyond(double margin, std::vector<ContactPoint>& points);

/// Four of points that have one normal to some hundredths: the deepest, the one farthest from it,
/// and on either side of the line through both the one that makes the largest triangle with them;
/// fewer where these are the same.
/// @pre not empty; the deepest comes first
std::vector<ContactPoint> four_of(const std::vector<ContactPoint>& points);

/// The points with the deepest first, then by gap: at most what a manifold holds, more are reduced
/// to the four that span the largest area.
Manifold manifold_of(std::vector<ContactPoint>& points, SeparationStatus status);

}  // namespace scree
