#include "scree/geometry/meshes/triangle_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace scree {
namespace {

/// Triangles of a leaf.
constexpr std::int32_t kLeaf = 4;

/// Whether the segment may meet the box: the overlap of the intervals that the sides cut out of it.
bool may_meet(const Box3& box, const Vec3& from, const Vec3& along) {
  double begin = 0.0;
  double end = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    if (along[axis] == 0.0) {
      if (from[axis] < box.low[axis] || from[axis] > box.high[axis]) return false;
      continue;
    }
    const double at_low = (box.low[axis] - from[axis]) / along[axis];
    const double at_high = (box.high[axis] - from[axis]) / along[axis];
    begin = std::max(begin, std::min(at_low, at_high));
    end = std::min(end, std::max(at_low, at_high));
  }
  constexpr double kRounding = 1e-12;
  return begin <= end + kRounding;
}

/// Whether the segment comes through the triangle, borders included to rounding: the signs of the
/// tetrahedra that it makes with the edges (T. Moeller and B. Trumbore, J. Graphics Tools 2 (1997)
/// 21).
bool meets(const std::array<Vec3, 3>& corners, const Vec3& from, const Vec3& along) {
  constexpr double kRounding = 1e-9;
  const Vec3 first = corners[1] - corners[0];
  const Vec3 second = corners[2] - corners[0];
  const Vec3 normal = first.cross(second);
  const double across = normal.dot(along);
  if (across == 0.0) return false;
  const double share = normal.dot(corners[0] - from) / across;
  if (share < 0.0 || share > 1.0) return false;
  const Vec3 at = from + share * along - corners[0];
  const double u = at.cross(second).dot(normal) / normal.squaredNorm();
  const double v = first.cross(at).dot(normal) / normal.squaredNorm();
  return u >= -kRounding && v >= -kRounding && u + v <= 1.0 + kRounding;
}

}  // namespace

NearestOnTriangle nearest_on_triangle(const std::array<Vec3, 3>& corners, const Vec3& p) {
  const Vec3 normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
  const Vec3 foot = p - normal.dot(p - corners[0]) / normal.squaredNorm() * normal;
  // Beyond one edge or two: an obtuse corner's nearest edge is not told by the signs alone.
  NearestOnTriangle nearest{foot, TrianglePart::face, 0};
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const Vec3& start = corners[k];
    const Vec3 along = corners[(k + 1) % 3] - start;
    if (along.cross(foot - start).dot(normal) >= 0.0) continue;
    const double share = along.dot(p - start) / along.squaredNorm();
    const Vec3 on_edge = start + std::clamp(share, 0.0, 1.0) * along;
    const double square = (p - on_edge).squaredNorm();
    if (square >= least) continue;
    least = square;
    if (share <= 0.0) {
      nearest = {start, TrianglePart::corner, k};
    } else if (share >= 1.0) {
      nearest = {corners[(k + 1) % 3], TrianglePart::corner, (k + 1) % 3};
    } else {
      nearest = {on_edge, TrianglePart::edge, k};
    }
  }
  return nearest;
}

TriangleTree::TriangleTree(const TriangleMesh& mesh) : mesh_(&mesh) {
  const auto n = static_cast<std::int32_t>(mesh.triangles.size());
  std::vector<Vec3> centres;
  centres.reserve(mesh.triangles.size());
  for (std::int32_t t = 0; t < n; ++t) {
    const Box3 box = box_of(t);
    centres.push_back(0.5 * (box.low + box.high));
  }
  order_.resize(mesh.triangles.size());
  std::iota(order_.begin(), order_.end(), 0);
  box_ = box_of_range(0, n);
  nodes_.reserve(mesh.triangles.size() / 2 + 1);
  build(0, n, centres);
  nodes_.shrink_to_fit();
}

Box3 TriangleTree::box_of_range(std::int32_t first, std::int32_t end) const {
  Box3 box = box_of(order_[first]);
  for (std::int32_t k = first + 1; k < end; ++k) {
    const Box3 own = box_of(order_[k]);
    box = {box.low.cwiseMin(own.low), box.high.cwiseMax(own.high)};
  }
  return box;
}

/// Halves the triangles of order_ from @p first to @p end: the node that holds them, and all below.
std::int32_t TriangleTree::build(std::int32_t first, std::int32_t end,
                                 const std::vector<Vec3>& centres) {
  Box3 middles{centres[order_[first]], centres[order_[first]]};
  for (std::int32_t k = first; k < end; ++k) {
    const Vec3& centre = centres[order_[k]];
    middles = {middles.low.cwiseMin(centre), middles.high.cwiseMax(centre)};
  }
  Eigen::Index axis = 0;
  (middles.high - middles.low).maxCoeff(&axis);
  const std::int32_t middle = first + (end - first + 1) / 2;
  std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + end,
                   [&](std::int32_t a, std::int32_t b) {
                     const double x = centres[a][axis];
                     const double y = centres[b][axis];
                     return x != y ? x < y : a < b;
                   });
  const auto node = static_cast<std::int32_t>(nodes_.size());
  // the second half of one triangle is a leaf of none
  const Box3 second = box_of_range(std::min(middle, end - 1), end);
  nodes_.push_back({{Bounds::around(box_of_range(first, middle)), Bounds::around(second)}, {}});
  const Child low = child_of(first, middle, centres);
  const Child high = child_of(middle, end, centres);
  nodes_[node].children = {low, high};
  return node;
}

TriangleTree::Child TriangleTree::child_of(std::int32_t first, std::int32_t end,
                                           const std::vector<Vec3>& centres) {
  if (end - first <= kLeaf) return {-1 - first, end - first};
  return {build(first, end, centres), 0};
}

TriangleTree::Nearest TriangleTree::nearest(const Vec3& p) const {
  struct Waiting {
    Child child;
    double square;
  };
  std::array<Waiting, kDepth> waiting;
  std::size_t n = 0;
  waiting[n++] = {{0, 0}, 0.0};
  Nearest nearest{-1, {}, 0.0};
  double least = std::numeric_limits<double>::infinity();
  while (n > 0) {
    const auto [child, square] = waiting[--n];
    if (square >= least) continue;
    if (!child.is_leaf()) {
      const Node& node = nodes_[child.at];
      Waiting near{node.children[0], square_to(node.bounds[0].box(), p)};
      Waiting far{node.children[1], square_to(node.bounds[1].box(), p)};
      if (far.square < near.square) std::swap(near, far);
      if (far.square < least) waiting[n++] = far;
      if (near.square < least) waiting[n++] = near;
      continue;
    }
    for (std::int32_t k = child.first(); k < child.first() + child.count; ++k) {
      const std::array<Vec3, 3> own = corners(order_[k]);
      const NearestOnTriangle on = nearest_on_triangle(own, p);
      const double own_square = (p - on.point).squaredNorm();
      if (own_square >= least) continue;
      least = own_square;
      nearest = {order_[k], on, 0.0};
    }
  }
  nearest.distance = std::sqrt(least);
  return nearest;
}

std::optional<std::int32_t> TriangleTree::met_by(const Vec3& from, const Vec3& to) const {
  const Vec3 along = to - from;
  std::optional<std::int32_t> met;
  walk([&](const Bounds& bounds) { return may_meet(bounds.box(), from, along); },
       [&](std::int32_t triangle) {
         if (meets(corners(triangle), from, along)) met = triangle;
         return !met;
       });
  return met;
}

}  // namespace scree
