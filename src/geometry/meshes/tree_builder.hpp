#pragma once

#include <cstdint>
#include <vector>

#include "scree/geometry/meshes/triangle_mesh.hpp"
#include "scree/geometry/meshes/triangle_tree.hpp"

namespace scree {

/// The nodes of the tree over a mesh, and its triangles in their order.
struct BuiltTree {
  std::vector<std::int32_t> order;
  std::vector<TriangleTree::Node> nodes;
};

/// Time n log n.
BuiltTree tree_over(const TriangleMesh& mesh);

/// The box of a triangle, m.
Box3 box_of_triangle(const TriangleMesh& mesh, std::int32_t triangle);

}  // namespace scree
