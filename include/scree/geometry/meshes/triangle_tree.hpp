#pragma once

/// Which triangles of a mesh are near: a tree of boxes over them, each node's box around those of
/// its children (a bounding volume hierarchy). All in the frame of the mesh, in double precision.
///
/// Nodes are halved at the median of the triangles' centres along the longest side of their box, so
/// that the tree is balanced however the triangles lie; 32 bytes a triangle.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/geometry/meshes/triangle_mesh.hpp"

namespace scree {

/// Where on a triangle a point is: within it, on the edge of the number `place`, or at that corner.
enum class TrianglePart : std::uint8_t { face, edge, corner };

/// The point of a triangle that is nearest to a given one.
struct NearestOnTriangle {
  Vec3 point;
  TrianglePart part;
  int place;  ///< edge k goes from corner k to corner (k + 1) % 3; 0 for the face
};

/// @param corners of a triangle that has a height
NearestOnTriangle nearest_on_triangle(const std::array<Vec3, 3>& corners, const Vec3& p);

class TriangleTree {
 public:
  explicit TriangleTree(const TriangleMesh& mesh);

  /// The box of all triangles.
  const Box3& box() const { return nodes_[0].box; }

  /// `visit(triangle)` of each triangle whose box meets @p box.
  template <class Visit>
  void for_each_in(const Box3& box, const Visit& visit) const {
    walk([&box](const Box3& node) { return node.meets(box); },
         [&](std::int32_t triangle) {
           if (box_of(triangle).meets(box)) visit(triangle);
           return true;
         });
  }
  /// Whether the box of a triangle meets @p box.
  bool any_in(const Box3& box) const {
    bool any = false;
    walk([&](const Box3& node) { return node.meets(box); },
         [&](std::int32_t triangle) {
           any = box_of(triangle).meets(box);
           return !any;
         });
    return any;
  }

  struct Nearest {
    std::int32_t triangle;
    NearestOnTriangle on;
    double distance;  ///< m, not signed
  };
  /// The nearest point of the mesh.
  Nearest nearest(const Vec3& p) const;

  /// A triangle that the segment from @p from to @p to meets; none where it meets none.
  std::optional<std::int32_t> met_by(const Vec3& from, const Vec3& to) const;

  std::array<Vec3, 3> corners(std::int32_t triangle) const {
    const std::array<std::int32_t, 3>& t = mesh_->triangles[triangle];
    return {mesh_->vertices[t[0]], mesh_->vertices[t[1]], mesh_->vertices[t[2]]};
  }

 private:
  /// A leaf has `count` triangles of order_ from `first` on; else the children are the next node
  /// and `first`.
  struct Node {
    Box3 box;
    std::int32_t first;
    std::int32_t count;
  };
  /// Enough for any tree of 2^31 triangles.
  static constexpr std::size_t kDepth = 64;

  Box3 box_of(std::int32_t triangle) const {
    const std::array<Vec3, 3> c = corners(triangle);
    return {c[0].cwiseMin(c[1]).cwiseMin(c[2]), c[0].cwiseMax(c[1]).cwiseMax(c[2])};
  }
  /// Looks at the triangles of the leaves that @p enters leads to, until @p look says false.
  template <class Enters, class Look>
  void walk(const Enters& enters, const Look& look) const {
    std::array<std::int32_t, kDepth> waiting;
    std::size_t n = 0;
    waiting[n++] = 0;
    while (n > 0) {
      const std::int32_t i = waiting[--n];
      const Node& node = nodes_[i];
      if (!enters(node.box)) continue;
      if (node.count == 0) {
        waiting[n++] = node.first;
        waiting[n++] = i + 1;
        continue;
      }
      for (std::int32_t k = node.first; k < node.first + node.count; ++k) {
        if (!look(order_[k])) return;
      }
    }
  }
  void build(std::int32_t first, std::int32_t end, const std::vector<Vec3>& centres);

  const TriangleMesh* mesh_;
  std::vector<std::int32_t> order_;
  std::vector<Node> nodes_;
};

/// A mesh and its tree. Stays where it is: the tree points to the mesh.
struct SearchableMesh {
  explicit SearchableMesh(TriangleMesh own) : mesh(std::move(own)), tree(mesh) {}
  SearchableMesh(const SearchableMesh&) = delete;
  SearchableMesh& operator=(const SearchableMesh&) = delete;

  const TriangleMesh mesh;
  const TriangleTree tree;
};

}  // namespace scree
