#pragma once

/// Shapes that a user should look at twice, in the words of `check`.

#include <string>
#include <vector>

#include "scree/geometry/shapes/declared_shape.hpp"
#include "scree/geometry/shapes/grain_shape.hpp"

namespace scree {

/// Lines on a mesh: triangles, size, area, volume where it is a solid, which sides hold, and what a
/// user should mend or know; on a polyhedron whose convex hull is larger than what the file's
/// triangles enclose; on a clump: its parts, its volume, and parts that touch no other. None on
/// other shapes.
std::vector<std::string> lines_of_shape(DeclaredShape shape);
std::vector<std::string> lines_of_shape(GrainShape shape);

}  // namespace scree
