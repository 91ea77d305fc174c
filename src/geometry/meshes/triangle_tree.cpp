#include "scree/geometry/meshes/triangle_tree.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace scree {
namespace {

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
  // Beyond one edge or two: an obtuse corner's nearest edge is not told by the signs alone.
  NearestOnTriangle nearest{p, TrianglePart::face, 0};
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const Vec3& start = corners[k];
    const Vec3 along = corners[(k + 1) % 3] - start;
    const Vec3 from_start = p - start;
    if (along.cross(from_start).dot(normal) >= 0.0) continue;
    const double share = along.dot(from_start) / along.squaredNorm();
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
  if (nearest.part == TrianglePart::face) {
    nearest.point -= normal.dot(p - corners[0]) / normal.squaredNorm() * normal;
  }
  return nearest;
}

namespace {

Box3 box_of(const TriangleTree::Node& node, std::size_t i) {
  const auto& b = node.bounds;
  return {Vec3(b[0][i], b[1][i], b[2][i]), -Vec3(b[3][i], b[4][i], b[5][i])};
}

double square_to(const Box3& box, const Vec3& p) {
  return (box.low - p).cwiseMax(p - box.high).cwiseMax(0.0).squaredNorm();
}

/// A child of a node, and the square of its box's distance, m^2.
struct Waiting {
  std::int32_t at;
  std::int32_t count;
  double square;
};

/// The children of a node, the farthest first.
std::array<Waiting, TriangleTree::kWidth> from_farthest(const TriangleTree::Node& node,
                                                        const Vec3& p) {
  std::array<Waiting, TriangleTree::kWidth> children;
  for (std::size_t i = 0; i < children.size(); ++i) {
    children[i] = {node.at[i], node.count[i], square_to(box_of(node, i), p)};
  }
  std::ranges::sort(children, std::greater<>{}, &Waiting::square);
  return children;
}

}  // namespace

TriangleTree::Nearest TriangleTree::nearest(const Vec3& p) const {
  std::array<Waiting, kWaiting> waiting;
  std::size_t n = 0;
  waiting[n++] = {0, 0, 0.0};
  Nearest nearest{-1, {}, 0.0};
  double least = std::numeric_limits<double>::infinity();
  while (n > 0) {
    const auto [at, count, square] = waiting[--n];
    if (square >= least) continue;
    if (at >= 0) {
      for (const Waiting& child : from_farthest(nodes_[at], p)) {
        if (child.square < least) waiting[n++] = child;
      }
      continue;
    }
    for (std::int32_t facet = -1 - at; facet < -1 - at + count; ++facet) {
      const NearestOnTriangle on = nearest_on_triangle(facets_[facet].corners, p);
      const double own_square = (p - on.point).squaredNorm();
      if (own_square >= least) continue;
      least = own_square;
      nearest = {facet, on, 0.0};
    }
  }
  nearest.distance = std::sqrt(least);
  return nearest;
}

std::optional<std::int32_t> TriangleTree::met_by(const Vec3& from, const Vec3& to) const {
  const Vec3 along = to - from;
  const auto meets_segment = [&](const Node& node) {
    Met met;
    for (std::size_t i = 0; i < kWidth; ++i)
      met[i] = may_meet(box_of(node, i), from, along) ? 1 : 0;
    return met;
  };
  std::optional<std::int32_t> met;
  walk(meets_segment, [&](std::int32_t first, std::int32_t count) {
    for (std::int32_t facet = first; facet < first + count && !met; ++facet) {
      if (meets(facets_[facet].corners, from, along)) met = facet;
    }
    return !met;
  });
  return met;
}

}  // namespace scree
