#pragma once

/// The deepest point of two cores: nearest points where they are apart, the best axis where they
/// overlap, or are so near each other that the nearest points do not bound the distance.

#include <algorithm>

#include "core.hpp"
#include "scree/geometry/pairs/features.hpp"
#include "scree/geometry/pairs/manifold.hpp"

namespace scree {

/// The numbers of a hull's features: vertices, then edges, then faces.
inline std::int32_t vertex_feature(std::int32_t vertex) {
  return vertex;
}
inline std::int32_t edge_feature(const Hull& hull, std::int32_t edge) {
  return static_cast<std::int32_t>(hull.vertices.size()) + edge;
}
inline std::int32_t face_feature(const Hull& hull, std::int32_t face) {
  return static_cast<std::int32_t>(hull.vertices.size() + hull.edges.size()) + face;
}

/// The deepest point of two cores, without their rounding.
struct DeepestPoint {
  double gap;                ///< m
  Vec3 normal;               ///< unit, from B to A
  Vec3 point_a, point_b;     ///< point_a - point_b = gap * normal; only where there is a feature
  std::int64_t feature;      ///< 0 where a face's normal is all that is known
  std::int32_t face_a = -1;  ///< the face of A that separates as well, along the same normal
  std::int32_t face_b = -1;  ///< face of B, when there is none of A
  SeparationStatus status = SeparationStatus::solved;
};

/// Cores that are found to be further apart than @p far (m) before their nearest points are have no
/// more than a gap between that and their own.
/// @pre at least one of the cores has faces
DeepestPoint deepest_point(const Core& a, const Core& b, double far = kNeverFar);

/// The face whose outward normal is closest to @p direction among those that have the vertex @p at,
/// or among all for at = -1; -1 for a core without faces.
std::int32_t face_towards(const Core& core, const Vec3& direction, std::int32_t at = -1);

}  // namespace scree
