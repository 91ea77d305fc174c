#pragma once

/// Which triangles of a mesh are near: a tree of boxes over them, each box around those below it (a
/// bounding volume hierarchy). All in the frame of the mesh. Boxes of the tree are in single
/// precision, rounded outward: what they meet may be off by that rounding. What is said of a
/// triangle is in double precision.
///
/// A node has four boxes, which are looked at at once. Nodes are halved, and halved again, at the
/// median of the triangles' centres along the longest side of their box, so that the tree is
/// balanced however the triangles lie.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "scree/base/math.hpp"
#include "scree/geometry/meshes/packed_mesh.hpp"

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
  static constexpr std::size_t kWidth = 4;
  /// Four boxes, each from low to high: bounds[axis] is low, bounds[axis + 3] is -high, m, so that
  /// rounding down widens them. A box of nothing is met by none.
  struct alignas(64) Node {
    std::array<std::array<float, kWidth>, 6> bounds;
    std::array<std::int32_t, kWidth> at;     ///< a node; or of the facets of a leaf -1 - the first
    std::array<std::uint8_t, kWidth> count;  ///< facets of a leaf
  };

  /// Not above @p x, by two of the steps of single precision at most.
  static float rounded_down(double x) {
    constexpr float kStep = std::numeric_limits<float>::epsilon();
    const auto near = static_cast<float>(x);
    return near - kStep * std::abs(near) - std::numeric_limits<float>::min();
  }

  /// @param facets and nodes stay where they are; the first node is the root
  TriangleTree(std::span<const Facet> facets, std::span<const Node> nodes)
      : facets_(facets), nodes_(nodes) {}

  /// `visit(facet)` of each triangle whose box meets @p box, and of some that all but do.
  template <class Visit>
  void for_each_in(const Box3& box, const Visit& visit) const {
    visit_found(Meeting(box), visit);
  }
  /// Visits each triangle whose box has a point within @p radius (m) of @p centre.
  template <class Visit>
  void for_each_near(const Vec3& centre, double radius, const Visit& visit) const {
    visit_found(Nearing(centre, radius), visit);
  }
  /// Whether the box of a triangle meets @p box.
  bool any_in(const Box3& box) const {
    bool any = false;
    walk(Meeting(box), [&any](std::int32_t, std::int32_t) {
      any = true;
      return false;
    });
    return any;
  }

  struct Nearest {
    std::int32_t facet;
    NearestOnTriangle on;
    double distance;  ///< m, not signed
  };
  /// The nearest point of the mesh.
  Nearest nearest(const Vec3& p) const;

  /// A triangle that the segment from @p from to @p to meets; none where it meets none.
  std::optional<std::int32_t> met_by(const Vec3& from, const Vec3& to) const;

 private:
  using Lanes = Eigen::Array<float, kWidth, 1>;
  using Met = Eigen::Array<int, kWidth, 1>;

  static auto lanes(const std::array<float, kWidth>& numbers) {
    return Eigen::Map<const Lanes, Eigen::Aligned16>(numbers.data());
  }

  /// Whether the boxes of a node meet a box.
  class Meeting {
   public:
    explicit Meeting(const Box3& box) {
      for (int axis = 0; axis < 3; ++axis) {
        most_[axis] = -rounded_down(-box.high[axis]);
        most_[axis + 3] = -rounded_down(box.low[axis]);
      }
    }
    Met operator()(const Node& node) const {
      Lanes farthest = lanes(node.bounds[0]) - most_[0];
      for (std::size_t k = 1; k < most_.size(); ++k) {
        farthest = farthest.max(lanes(node.bounds[k]) - most_[k]);
      }
      return (farthest <= 0.0F).cast<int>();
    }

   private:
    std::array<float, 6> most_;
  };
  /// Whether they have a point within a radius of a centre.
  class Nearing {
   public:
    Nearing(const Vec3& centre, double radius) {
      // rounding of the centre, and of distances from it
      constexpr double kStep = std::numeric_limits<float>::epsilon();
      const double wide = radius + 4.0 * kStep * (centre.cwiseAbs().maxCoeff() + radius);
      square_ = -rounded_down(-wide * wide);
      for (int axis = 0; axis < 3; ++axis) centre_[axis] = static_cast<float>(centre[axis]);
    }
    Met operator()(const Node& node) const {
      Lanes squares = Lanes::Zero();
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const Lanes below = lanes(node.bounds[axis]) - centre_[axis];
        const Lanes above = lanes(node.bounds[axis + 3]) + centre_[axis];
        squares += below.max(above).max(0.0F).square();
      }
      return (squares <= square_).cast<int>();
    }

   private:
    std::array<float, 3> centre_;
    float square_;
  };

  /// Enough for any tree of 2^31 triangles.
  static constexpr std::size_t kWaiting = 64;

  /// `look(first facet, count)` at the leaves whose box is met, until it says false.
  template <class Meets, class Look>
  void walk(const Meets& meets, const Look& look) const {
    std::array<std::int32_t, kWaiting> waiting;
    std::size_t n = 0;
    waiting[n++] = 0;
    while (n > 0) {
      const Node& node = nodes_[waiting[--n]];
      const Met met = meets(node);
      for (std::size_t i = 0; i < kWidth; ++i) {
        if (met[i] == 0) continue;
        if (node.at[i] < 0) {
          if (!look(-1 - node.at[i], node.count[i])) return;
          continue;
        }
        __builtin_prefetch(&nodes_[node.at[i]]);
        __builtin_prefetch(&nodes_[node.at[i]].at);
        waiting[n++] = node.at[i];
      }
    }
  }
  /// Visits the triangles of the leaves whose box is met, some at a time, so that their memory is
  /// on its way while the walk goes on.
  template <class Meets, class Visit>
  void visit_found(const Meets& meets, const Visit& visit) const {
    constexpr std::size_t kFew = 32;
    std::array<std::int32_t, kFew> found;
    std::size_t n = 0;
    walk(meets, [&](std::int32_t first, std::int32_t count) {
      if (n + count > kFew) {
        std::for_each_n(found.begin(), std::exchange(n, 0), std::cref(visit));
      }
      for (std::int32_t facet = first; facet < first + count; ++facet) {
        __builtin_prefetch(&facets_[facet]);
        __builtin_prefetch(&facets_[facet].normal);
        found[n++] = facet;
      }
      return true;
    });
    std::for_each_n(found.begin(), n, std::cref(visit));
  }

  std::span<const Facet> facets_;
  std::span<const Node> nodes_;
};

}  // namespace scree
