#pragma once

/// The common normal of two convex bodies known by their support functions alone.
///
///     gap = max over unit n of g(n),    g(n) = -h_A(-n) - h_B(n) = -h(-n)
///
/// h being the support function of the difference D, all a - b with a in A and b in B. Apart, the
/// gap is the distance of the origin from D, which lies outside; overlapping, minus its depth below
/// D's surface.
///
/// Bodies that are clearly apart, most of those that are asked for, are met by Gilbert, Johnson and
/// Keerthi's iteration (apart.hpp). For others a polytope P inside of D is expanded by D's points
/// farthest along chosen directions m,
///
///     overlapping   the normal of the face of P nearest to the origin, at the distance d <= h(m)
///     apart         that from the origin away from P's nearest point, at the distance D >= -h(m)
///
/// until d or D is what the best h says, to 1e-13 of the size: this bounds the error on both sides
/// whatever the bodies' surfaces are (flats, edges, rims, apexes). About a smooth point each new
/// vertex is the centre of the circle around its face in the metric of the curvature, so that a
/// digit of the depth takes some three points, while the common normal gains half a digit (where
/// libccd's search for depth ends at 1e-8 it has a normal to 1e-4). Where both surfaces are smooth,
/// therefore, Newton's iteration ends the search: with t = T^T S(m), S the point of D farthest
/// along m and T a basis across m,
///
///     (T^T S'(m) T - h I) theta = -t,    S' by central differences
///
/// which is taken only where it converges to a minimum (the matrix positive definite) that is no
/// worse than the best. Apart this is the distance, to rounding. Overlapping, the expansion goes
/// on to tell whether another one is deeper, around the minimum only down to faces whose directions
/// are so near to it that it is alone.
///
/// What the bodies turn to each other is taken for flats and lines within a tenth of the best
/// direction at first. Where the direction that follows is not the best one, as of a disc that lies
/// on its rim, tilted by a thousandth, it is taken for what looks along it within less; a minimum
/// so found is alone only within a third of that.
///
/// Where so many directions are alike (bodies with one axis and one centre) that 128 points do not
/// tell the best, the search closes in on the best so far; what it ends at is as good to rounding.

#include "convex_shape.hpp"
#include "scree/geometry/pairs/manifold.hpp"

namespace scree {

struct CommonNormal {
  double gap;   ///< of the cores, m
  Vec3 normal;  ///< unit, from B to A
  Vec3 point_a,
      point_b;  ///< on the cores, along the bodies' axes: apart along the normal by the gap
  SeparationStatus status;  ///< solved: the gap is known to 1e-8 of the size at least

  /// With points half the gap to both sides of @p middle.
  static CommonNormal about(const Vec3& middle, double gap, const Vec3& normal,
                            SeparationStatus status) {
    return {gap, normal, middle + 0.5 * gap * normal, middle - 0.5 * gap * normal, status};
  }
};

/// @pre their cores are not both flat in the same plane: one of them has a volume. Not collective,
/// does not throw.
CommonNormal common_normal(const PlacedConvex& a, const PlacedConvex& b);

}  // namespace scree
