#include "tree_builder.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace scree {
namespace {

using Node = TriangleTree::Node;
using Bounds = std::array<float, 6>;  ///< of a box, as a node has them

/// Triangles of the order, from the first to before the end.
struct Range {
  std::int32_t first;
  std::int32_t end;

  std::int32_t size() const { return end - first; }
};

class TreeBuilder {
 public:
  explicit TreeBuilder(const TriangleMesh& mesh) : mesh_(mesh) {
    const std::size_t n = mesh.triangles.size();
    centres_.reserve(n);
    for (std::size_t t = 0; t < n; ++t) {
      const Box3 box = box_of_triangle(mesh_, static_cast<std::int32_t>(t));
      centres_.push_back(0.5 * (box.low + box.high));
    }
    tree_.order.resize(n);
    std::iota(tree_.order.begin(), tree_.order.end(), 0);
    tree_.nodes.reserve(n / 2 + 1);
  }

  BuiltTree build() {
    add_node({0, static_cast<std::int32_t>(tree_.order.size())});
    return std::move(tree_);
  }

 private:
  /// Halves @p range at the median along the longest side of the box of its centres.
  std::array<Range, 2> halves(Range range) {
    if (range.size() < 2) return {range, Range{range.end, range.end}};
    Box3 middles{centres_[tree_.order[range.first]], centres_[tree_.order[range.first]]};
    for (std::int32_t k = range.first; k < range.end; ++k) {
      const Vec3& centre = centres_[tree_.order[k]];
      middles = {middles.low.cwiseMin(centre), middles.high.cwiseMax(centre)};
    }
    Eigen::Index axis = 0;
    (middles.high - middles.low).maxCoeff(&axis);
    const std::int32_t middle = range.first + (range.size() + 1) / 2;
    const auto order = tree_.order.begin();
    std::nth_element(order + range.first, order + middle, order + range.end,
                     [&](std::int32_t a, std::int32_t b) {
                       const double x = centres_[a][axis];
                       const double y = centres_[b][axis];
                       return x != y ? x < y : a < b;
                     });
    return {Range{range.first, middle}, Range{middle, range.end}};
  }

  /// The node that holds @p range, and all below it.
  std::int32_t add_node(Range range) {
    const auto [low, high] = halves(range);
    const auto [first, second] = halves(low);
    const auto [third, fourth] = halves(high);
    const auto node = static_cast<std::int32_t>(tree_.nodes.size());
    tree_.nodes.emplace_back();
    std::size_t i = 0;
    for (const Range& child : {first, second, third, fourth}) add_child(node, i++, child);
    return node;
  }

  void add_child(std::int32_t node, std::size_t i, Range range) {
    if (range.size() > 1) {
      const std::int32_t child = add_node(range);
      for (std::size_t k = 0; k < Bounds{}.size(); ++k) {
        const auto& own = tree_.nodes[child].bounds[k];
        tree_.nodes[node].bounds[k][i] = *std::ranges::min_element(own);
      }
      tree_.nodes[node].at[i] = child;
      return;
    }
    const Bounds bounds = bounds_of(range);
    for (std::size_t k = 0; k < bounds.size(); ++k) tree_.nodes[node].bounds[k][i] = bounds[k];
    tree_.nodes[node].at[i] = -1 - range.first;
    tree_.nodes[node].count[i] = static_cast<std::uint8_t>(range.size());
  }

  /// The bounds of a leaf, which has one triangle or none.
  Bounds bounds_of(Range leaf) const {
    Bounds bounds;
    bounds.fill(std::numeric_limits<float>::max() / 4);
    if (leaf.size() == 0) return bounds;
    const Box3 box = box_of_triangle(mesh_, tree_.order[leaf.first]);
    for (int axis = 0; axis < 3; ++axis) {
      bounds[axis] = TriangleTree::rounded_down(box.low[axis]);
      bounds[axis + 3] = TriangleTree::rounded_down(-box.high[axis]);
    }
    return bounds;
  }

  const TriangleMesh& mesh_;
  std::vector<Vec3> centres_;
  BuiltTree tree_;
};

}  // namespace

Box3 box_of_triangle(const TriangleMesh& mesh, std::int32_t triangle) {
  const auto& [i, j, k] = mesh.triangles[triangle];
  const Vec3& a = mesh.vertices[i];
  const Vec3& b = mesh.vertices[j];
  const Vec3& c = mesh.vertices[k];
  return {a.cwiseMin(b).cwiseMin(c), a.cwiseMax(b).cwiseMax(c)};
}

BuiltTree tree_over(const TriangleMesh& mesh) {
  return TreeBuilder(mesh).build();
}

}  // namespace scree
