#pragma once

/// Parts of clumps from files.

#include <filesystem>
#include <string_view>
#include <vector>

#include "scree/geometry/shapes/clump.hpp"

namespace scree {

/// A ball a line `x y z radius`, in metres times @p scale; what follows a # is left out, as are
/// blank lines. @p bytes is what the file holds. @throws InputError naming file, line, reason and
/// remedy
std::vector<ClumpPart> parts_of_spheres(const std::filesystem::path& file, std::string_view bytes,
                                        double scale);

/// The convex hull of the vertices of each group of an OBJ that has faces, or of all vertices of a
/// file without groups. @throws InputError, as of polyhedra
std::vector<ClumpPart> parts_of_hulls(const std::filesystem::path& file, std::string_view bytes,
                                      double scale);

}  // namespace scree
