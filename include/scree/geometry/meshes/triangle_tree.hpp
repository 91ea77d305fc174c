#pragma once

/// Which triangles of a mesh are near: a tree of boxes over them, each box around those below it (a
/// bounding volume hierarchy). All in the frame of the mesh. Boxes of the tree are in single
/// precision, rounded outward, so that the two of a node are one cache line; what is said of a
/// triangle is in double precision.
///
/// Nodes are halved at the median of the triangles' centres along the longest side of their box, so
/// that the tree is balanced however the triangles lie; 21 bytes a triangle.

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
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
  const Box3& box() const { return box_; }

  /// `visit(triangle)` of each triangle whose box meets @p box.
  template <class Visit>
  void for_each_in(const Box3& box, const Visit& visit) const {
    walk_into(box, [&](std::int32_t triangle) {
      if (box_of(triangle).meets(box)) visit(triangle);
      return true;
    });
  }
  /// `visit(triangle)` of each of these whose box has a point within @p radius (m) of @p centre.
  template <class Visit>
  void for_each_in(const Box3& box, const Vec3& centre, double radius, const Visit& visit) const {
    walk_into(box, [&](std::int32_t triangle) {
      const Box3 own = box_of(triangle);
      if (own.meets(box) && square_to(own, centre) <= radius * radius) visit(triangle);
      return true;
    });
  }
  /// Whether the box of a triangle meets @p box.
  bool any_in(const Box3& box) const {
    bool any = false;
    walk_into(box, [&](std::int32_t triangle) {
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
  /// The box from low = (bounds[0], [1], [2]) to high = -(bounds[3], [4], [5]), m: two boxes meet
  /// where the bounds of one are at most those of the other's turn.
  struct Bounds {
    std::array<float, 6> bounds;

    /// That holds @p box.
    static Bounds around(const Box3& box) {
      Bounds own;
      for (int axis = 0; axis < 3; ++axis) {
        own.bounds[axis] = rounded_down(box.low[axis]);
        own.bounds[axis + 3] = rounded_down(-box.high[axis]);
      }
      return own;
    }
    /// Not above @p x, by two of the steps of single precision at most.
    static float rounded_down(double x) {
      constexpr float kStep = std::numeric_limits<float>::epsilon();
      const auto near = static_cast<float>(x);
      return near - kStep * std::abs(near) - std::numeric_limits<float>::min();
    }
    /// Those to compare with whether @p box is met.
    static Bounds to_meet(const Box3& box) {
      Bounds own = around({-box.high, -box.low});
      for (float& bound : own.bounds) bound = -bound;
      return own;
    }
    bool is_met(const Bounds& turned) const {
      bool met = true;
      for (std::size_t k = 0; k < bounds.size(); ++k) met &= bounds[k] <= turned.bounds[k];
      return met;
    }
    Box3 box() const {
      return {Vec3(bounds[0], bounds[1], bounds[2]), -Vec3(bounds[3], bounds[4], bounds[5])};
    }
  };
  /// A node, or a leaf: `count` triangles of order_ from -1 - `at` on.
  struct Child {
    std::int32_t at;
    std::int32_t count;

    bool is_leaf() const { return at < 0; }
    std::int32_t first() const { return -1 - at; }
  };
  struct alignas(64) Node {
    std::array<Bounds, 2> bounds;
    std::array<Child, 2> children;
  };
  /// Enough for any tree of 2^31 triangles.
  static constexpr std::size_t kDepth = 64;

  Box3 box_of(std::int32_t triangle) const {
    const std::array<Vec3, 3> c = corners(triangle);
    return {c[0].cwiseMin(c[1]).cwiseMin(c[2]), c[0].cwiseMax(c[1]).cwiseMax(c[2])};
  }
  static double square_to(const Box3& box, const Vec3& p) {
    return (box.low - p).cwiseMax(p - box.high).cwiseMax(0.0).squaredNorm();
  }
  /// Looks at the triangles of the leaves that @p enters leads to, until @p look says false.
  template <class Enters, class Look>
  void walk(const Enters& enters, const Look& look) const {
    std::array<Child, kDepth> waiting;
    std::size_t n = 0;
    waiting[n++] = {0, 0};
    while (n > 0) {
      const Child child = waiting[--n];
      if (!child.is_leaf()) {
        const Node& node = nodes_[child.at];
        if (enters(node.bounds[1])) waiting[n++] = node.children[1];
        if (enters(node.bounds[0])) waiting[n++] = node.children[0];
        continue;
      }
      for (std::int32_t k = child.first(); k < child.first() + child.count; ++k) {
        if (!look(order_[k])) return;
      }
    }
  }
  template <class Look>
  void walk_into(const Box3& box, const Look& look) const {
    const Bounds turned = Bounds::to_meet(box);
    walk([&turned](const Bounds& bounds) { return bounds.is_met(turned); }, look);
  }
  Box3 box_of_range(std::int32_t first, std::int32_t end) const;
  std::int32_t build(std::int32_t first, std::int32_t end, const std::vector<Vec3>& centres);
  Child child_of(std::int32_t first, std::int32_t end, const std::vector<Vec3>& centres);

  const TriangleMesh* mesh_;
  Box3 box_;
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
