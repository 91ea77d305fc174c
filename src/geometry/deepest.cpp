#include "deepest.hpp"

#include <cmath>
#include <limits>

#include "gjk.hpp"
#include "separating_axis.hpp"

namespace scree {
namespace {

double extent(const Core& a, const Core& b) {
  return a.reach() + b.reach() + (a.origin() - b.origin()).norm();
}

/// The edge between two vertices; -1 when there is none (a diagonal of a face).
std::int32_t edge_between(const Hull& hull, std::int32_t i, std::int32_t j) {
  for (std::size_t e = 0; e < hull.edges.size(); ++e) {
    const Hull::Edge& edge = hull.edges[e];
    if ((edge.start == i && edge.end == j) || (edge.start == j && edge.end == i)) {
      return static_cast<std::int32_t>(e);
    }
  }
  return -1;
}

/// The feature of a core that the vertices of a simplex span: a vertex or an edge. Where they span a
/// face no face's normal was found, and the first vertex stands for it.
std::int32_t spanned_feature(const Hull& hull, const NearestPoints& nearest,
                             std::int32_t NearestPoints::Vertex::*side) {
  const std::int32_t first = nearest.simplex[0].*side;
  std::int32_t second = first;
  for (int k = 1; k < nearest.size; ++k) {
    const std::int32_t other = nearest.simplex[static_cast<std::size_t>(k)].*side;
    if (other != first) second = other;
  }
  if (second == first) return vertex_feature(first);
  const std::int32_t edge = edge_between(hull, first, second);
  return edge < 0 ? vertex_feature(std::min(first, second)) : edge_feature(hull, edge);
}

DeepestPoint of_nearest(const Core& a, const Core& b, const NearestPoints& nearest) {
  const Vec3 point_a = nearest.point_a();
  return {nearest.distance, nearest.normal, point_a, point_a - nearest.distance * nearest.normal,
          pair_feature(spanned_feature(a.hull(), nearest, &NearestPoints::Vertex::a),
                       spanned_feature(b.hull(), nearest, &NearestPoints::Vertex::b))};
}

/// Where two edges are nearest to each other, along @p axis.
DeepestPoint of_edges(const Core& a, const Core& b, const Axis& axis) {
  const Hull::Edge& edge_a = a.hull().edges[static_cast<std::size_t>(axis.edge_a)];
  const Hull::Edge& edge_b = b.hull().edges[static_cast<std::size_t>(axis.edge_b)];
  const Vec3 start = a.vertex(edge_a.start);
  const Vec3 along_a = a.vertex(edge_a.end) - start;
  const Vec3 along_b = b.vertex(edge_b.end) - b.vertex(edge_b.start);
  // In the plane across the axis the edges cross: offset + s along_a is on B's edge.
  const Vec3 offset = start - b.vertex(edge_b.start);
  const Vec3 across = axis.normal.cross(along_b);
  const double s = std::clamp(-offset.dot(across) / along_a.dot(across), 0.0, 1.0);
  const Vec3 point_a = start + s * along_a;
  return {axis.separation, axis.normal, point_a, point_a - axis.separation * axis.normal,
          pair_feature(edge_feature(a.hull(), axis.edge_a), edge_feature(b.hull(), axis.edge_b))};
}

/// Names the face whose normal separates as well as what was found, if there is one: A's before B's.
void name_face(const Core& a, const Core& b, double rounding, DeepestPoint& deepest) {
  constexpr double kSameDirection = 1e-7;
  const auto is_as_good = [&](const Core& core, std::int32_t face, double sign) {
    if (face < 0) return false;
    const Vec3 normal = sign * core.normal(static_cast<std::size_t>(face));
    if ((normal - deepest.normal).norm() > kSameDirection) return false;
    const double s = separation_along(a, b, normal);
    if (s < deepest.gap - rounding) return false;
    deepest.normal = normal;
    deepest.gap = s;
    return true;
  };
  const std::int32_t face_a = face_towards(a, -deepest.normal);
  if (is_as_good(a, face_a, -1.0)) {
    deepest.face_a = face_a;
    return;
  }
  const std::int32_t face_b = face_towards(b, deepest.normal);
  if (is_as_good(b, face_b, 1.0)) deepest.face_b = face_b;
}

/// Whether nearest points that are hardly apart tell more than @p axis does. Their direction is known
/// only to the rounding of points over the distance, which loosens its bound by as much; but of
/// vertices and edges that are the nearest, planes through them part the cores to within the distance.
bool tells_more(const NearestPoints& nearest, const Axis& axis, double size, double rounding) {
  if (nearest.overlap || nearest.distance <= axis.separation + 0.1 * rounding) return false;
  if (axis.separation < -nearest.distance - rounding) return false;
  const double loose = rounding + 1e-14 * size * size / nearest.distance;
  return nearest.distance - nearest.bound <= loose;
}

}  // namespace

std::int32_t face_towards(const Core& core, const Vec3& direction, std::int32_t at) {
  std::int32_t best = -1;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < core.hull().faces.size(); ++f) {
    const double along = direction.dot(core.normal(f));
    if (along <= most) continue;
    const auto loop = core.hull().loop(core.hull().faces[f]);
    if (at >= 0 && std::find(loop.begin(), loop.end(), at) == loop.end()) continue;
    most = along;
    best = static_cast<std::int32_t>(f);
  }
  return best;
}

DeepestPoint deepest_point(const Core& a, const Core& b) {
  const double size = extent(a, b);
  // Faces flat to less than rounding move the bounds by so much.
  const double rounding = 1e-13 * size + 4.0 * (a.flatness() + b.flatness());
  const NearestPoints nearest = nearest_points(a, b);
  const bool apart = !nearest.overlap && nearest.distance > 1e-6 * size &&
                     nearest.distance - nearest.bound <= rounding;
  if (apart) {
    DeepestPoint deepest = of_nearest(a, b, nearest);
    name_face(a, b, rounding, deepest);
    return deepest;
  }
  const Axis axis = best_axis(a, b, nearest.overlap ? 0.0 : nearest.distance);
  if (tells_more(nearest, axis, size, rounding)) return of_nearest(a, b, nearest);
  DeepestPoint deepest{axis.separation, axis.normal, {}, {}, 0};
  if (axis.edge_a >= 0) deepest = of_edges(a, b, axis);
  name_face(a, b, rounding, deepest);
  // No axis parts them by more than their distance, and the best one by less only where they overlap.
  const double distance = nearest.overlap ? 0.0 : nearest.distance;
  if (std::abs(std::max(deepest.gap, 0.0) - distance) > 100.0 * rounding) {
    deepest.status = SeparationStatus::not_converged;
  }
  return deepest;
}

}  // namespace scree
