#pragma once

/// Where a face meets another shape's face, segment or point: the incident polygon, clipped against
/// the planes through the sides of the reference face (Sutherland and Hodgman, Comm. ACM 17 (1974)
/// 32).

#include <vector>

#include "core.hpp"

namespace scree {

/// A point of the incident core above (or below) the reference face.
struct FacePoint {
  Vec3 point;             ///< on the incident core
  double gap;             ///< m, along the face's normal
  std::int32_t of_face;   ///< feature of the core with the face
  std::int32_t incident;  ///< feature of the other core
};

/// The points of @p incident over the @p face of @p core: corners of the polygon that @p incident's
/// face (or segment) towards it has there, each feature once. At least one: the vertex that is
/// nearest to the plane, where rounding leaves no polygon.
std::vector<FacePoint> face_points(const Core& core, std::int32_t face, const Core& incident);

}  // namespace scree
