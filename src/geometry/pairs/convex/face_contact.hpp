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

struct FaceContact {
  std::vector<FacePoint> points;  ///< corners of what is over the face; none where that is nothing
  FacePoint lowest;   ///< the incident vertex nearest to the face's plane, over it or not
  bool is_over_face;  ///< whether a point over the face is as near to the plane as that
};

/// The points of @p incident over the @p face of @p core: corners of the polygon that @p incident's
/// face (or segment) towards it has there, each feature once.
FaceContact face_contact(const Core& core, std::int32_t face, const Core& incident);

}  // namespace scree
