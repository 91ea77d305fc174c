#pragma once

/// The greatest separation g(n) of two cores over the normals of their faces and the cross products of
/// their edges: the exact answer where they overlap, and where a face or two edges meet.
///
/// g(n) = min over A of n . a - max over B of n . b. On the sphere of normals an edge is the arc
/// between the normals of its faces; two edges make a face of A - B where the arc of one crosses the
/// arc of the other one's reversed (Gregorius, Game Developers Conference, 2013), and only such pairs
/// are tried.

#include "core.hpp"

namespace scree {

/// A direction and how far it separates.
struct Axis {
  double separation;                      ///< g(normal), m; minus infinity when there is no axis
  Vec3 normal;                            ///< unit, from B to A
  std::int32_t face_a = -1, face_b = -1;  ///< whose normal it is, if it is one
  std::int32_t edge_a = -1, edge_b = -1;  ///< whose cross product it is, if it is one
};

/// g(@p normal), for a unit @p normal.
double separation_along(const Core& a, const Core& b, const Vec3& normal);

/// The best axis. @p bound (m) is at least the distance of the cores where they are apart.
/// @pre at least one core has faces
Axis best_axis(const Core& a, const Core& b, double bound);

}  // namespace scree
