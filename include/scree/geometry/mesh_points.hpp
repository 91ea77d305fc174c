#pragma once

#include <filesystem>
#include <vector>

#include "scree/base/math.hpp"

namespace scree {

/// The vertices of a mesh file: OFF, STL (text or binary) or OBJ, told by the end of its name
/// (.off, .stl, .obj). Of the faces nothing is read. Not collective.
/// @throws InputError naming file, reason and remedy
std::vector<Vec3> mesh_points(const std::filesystem::path& file);

}  // namespace scree
