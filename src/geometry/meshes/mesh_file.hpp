#pragma once

/// Mesh files as points and triangles, as they stand in the file: nothing is scaled or joined.

#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "scree/base/math.hpp"

namespace scree {

struct MeshFile {
  std::vector<Vec3> points;  ///< the file's unit and frame; finite
  /// Points of each triangle in the file's order: counter-clockwise seen from outside where the
  /// file keeps to that. Faces of more corners, convex or not, are cut.
  std::vector<std::array<std::int32_t, 3>> triangles;
  /// The first triangle of each group or object that an OBJ names; empty where it names none.
  std::vector<std::size_t> groups = {};
};

/// The mesh @p file, whose content is @p bytes: OFF, STL (text or binary), OBJ or PLY (text or
/// binary), told by the end of its name (.off, .stl, .obj, .ply). A file without faces gives points
/// alone. Memory is bounded by a small multiple of the number of bytes. Not collective.
/// @throws InputError naming file, place, reason and remedy
MeshFile read_mesh(const std::filesystem::path& file, std::string_view bytes);

}  // namespace scree
