#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "scree/base/math.hpp"

namespace scree {

struct MeshFile;

/// Triangles between vertices that are each there once.
struct WeldedMesh {
  std::vector<Vec3> vertices;  ///< m, frame of the file; in the order of their first triangles
  std::vector<std::array<std::int32_t, 3>> triangles;
  std::int64_t degenerate = 0;  ///< triangles that are left out
  std::int64_t duplicate = 0;   ///< others that are left out
  double extent = 0.0;          ///< m: longest side of the box about the vertices
};

/// The triangles of @p file with lengths times @p scale. A point within 1e-7 of the extent of an
/// earlier one becomes that one; triangles lower than 1e-9 of the extent, or with the vertices of
/// an earlier one in any order, are left out.
/// @throws InputError when no triangle is left, there are too many, or the extent is no length
WeldedMesh weld(const MeshFile& file, double scale, std::string_view name);

}  // namespace scree
