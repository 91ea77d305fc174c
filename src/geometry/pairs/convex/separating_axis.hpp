#pragma once

/// The greatest separation g(n) of two cores over the normals of their faces and the cross products
/// of their edges: the exact answer where they overlap, and where a face or two edges meet.
///
/// g(n) = min over A of n . a - max over B of n . b. On the sphere of normals an edge is the arc
/// between the normals of its faces; two edges make a face of A - B where the arc of one crosses
/// the arc of the other one's reversed (Gregorius, Game Developers Conference, 2013), and only such
/// pairs are tried.

#include "core.hpp"
#include "gjk.hpp"

namespace scree {

/// A direction and how far it separates.
struct Axis {
  double separation;                      ///< g(normal), m; minus infinity when there is no axis
  Vec3 normal;                            ///< unit, from B to A
  std::int32_t face_a = -1, face_b = -1;  ///< face whose normal the axis is; -1: none
  std::int32_t edge_a = -1, edge_b = -1;  ///< edges whose cross product the axis is; -1: none
};

/// g(@p normal), for a unit @p normal.
double separation_along(const Core& a, const Core& b, const Vec3& normal);

/// The best axis. Where the cores are apart and no face or pair of edges meets, it parts them at
/// least to within what @p nearest has for their distance.
/// @pre at least one core has faces
Axis best_axis(const Core& a, const Core& b, const NearestPoints& nearest);

/// Half of space: normal . x <= offset.
struct HalfSpace {
  Vec3 normal;
  double offset;

  bool holds(const Vec3& x) const { return normal.dot(x) <= offset; }
};

/// Where points of two cores may be that are within `near` of each other, seen along a normal from
/// B to A: those of A not above the top of B by more, those of B not below the bottom of A.
class Slab {
 public:
  Slab(const Core& a, const Core& b, const Vec3& normal, double near);

  const HalfSpace& of_a() const { return of_a_; }
  const HalfSpace& of_b() const { return of_b_; }

 private:
  HalfSpace of_a_;
  HalfSpace of_b_;
};

}  // namespace scree
