#pragma once

/// What `check` says of meshes from files.

#include <string>
#include <vector>

#include "scree/geometry/shapes/declared_shape.hpp"
#include "scree/geometry/shapes/grain_shape.hpp"

namespace scree {

/// Of a mesh triangles, size, area, volume where it is a solid, which sides hold, and what a user
/// should mend or know; of a polyhedron where its convex hull is larger than what the file's
/// triangles enclose. None of other shapes.
std::vector<std::string> lines_of_file(DeclaredShape shape);
std::vector<std::string> lines_of_file(GrainShape shape);

}  // namespace scree
