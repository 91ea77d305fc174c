#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "scree/base/math.hpp"

namespace scree {

/// The vertices of the mesh @p file, whose content is @p bytes: OFF, STL (text or binary) or OBJ,
/// told by the end of its name (.off, .stl, .obj). Of the faces nothing is read. Not collective.
/// @throws InputError naming file, reason and remedy
std::vector<Vec3> mesh_points(const std::filesystem::path& file, std::string_view bytes);

}  // namespace scree
