#pragma once

/// Mesh files as points and triangles, as they stand in the file: nothing is scaled or joined.

#include <array>
#include <cstdint>
#include <vector>

#include "scree/base/math.hpp"

namespace scree {

struct MeshFile {
  std::vector<Vec3> points;  ///< the file's unit and frame; finite
  /// Points of each triangle in the file's order: counter-clockwise seen from outside where the
  /// file keeps to that. Faces of more corners are fans about their first.
  std::vector<std::array<std::int32_t, 3>> triangles;
};

}  // namespace scree
