#include "deepest.hpp"

#include <cmath>
#include <limits>

#include "face_contact.hpp"
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

/// The feature of a core that the vertices of a simplex span: a vertex or an edge. Where they span
/// a face no face's normal was found, and the first vertex stands for it.
std::int32_t spanned_feature(const Hull& hull, const NearestPoints& nearest,
                             std::int32_t NearestPoints::Vertex::*side) {
  const std::int32_t first = nearest.simplex[0].*side;
  std::int32_t second = first;
  for (int k = 1; k < nearest.size; ++k) {
    const std::int32_t other = nearest.simplex[k].*side;
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

/// Where the lines of two edges cross, seen along an axis that is their cross product.
struct Crossing {
  Crossing(const Core& a, const Core& b, const Axis& axis)
      : edge_a(a.hull().edges[axis.edge_a]),
        edge_b(b.hull().edges[axis.edge_b]),
        start(a.vertex(edge_a.start)),
        start_b(b.vertex(edge_b.start)),
        along(a.vertex(edge_a.end) - start),
        along_b(b.vertex(edge_b.end) - start_b) {
    const Vec3 offset = start - start_b;
    const Vec3 across_a = axis.normal.cross(along);
    const Vec3 across_b = axis.normal.cross(along_b);
    s = -offset.dot(across_b) / along.dot(across_b);
    t = offset.dot(across_a) / along_b.dot(across_a);
    rounding = 1e-12 + 1e-15 * along.norm() / std::abs(along.dot(across_b.normalized()));
  }

  bool is_on_both() const {
    return std::min(s, t) >= -rounding && std::max(s, t) <= 1.0 + rounding;
  }
  /// Opposite the crossing on B's edge, kept within both: where they cross at a small angle
  /// rounding moves the crossing along both.
  Vec3 point_a() const {
    const Vec3 on_b = start_b + std::clamp(t, 0.0, 1.0) * along_b;
    const double share = (on_b - start).dot(along) / along.squaredNorm();
    return start + std::clamp(share, 0.0, 1.0) * along;
  }

  const Hull::Edge& edge_a;
  const Hull::Edge& edge_b;
  Vec3 start, start_b, along, along_b;
  double s, t;      ///< 0 at the starts of the edges, 1 at their ends
  double rounding;  ///< rounding of s and t: large for edges at a small angle
};

DeepestPoint of_edges(const Core& a, const Core& b, const Axis& axis) {
  const Vec3 point_a = Crossing(a, b, axis).point_a();
  return {axis.separation, axis.normal, point_a, point_a - axis.separation * axis.normal,
          pair_feature(edge_feature(a.hull(), axis.edge_a), edge_feature(b.hull(), axis.edge_b))};
}

/// Whether the features that make an axis meet along it: then it is the deepest there is.
bool features_meet(const Core& a, const Core& b, const Axis& axis) {
  if (axis.face_a >= 0) return face_contact(a, axis.face_a, b).is_over_face;
  if (axis.face_b >= 0) return face_contact(b, axis.face_b, a).is_over_face;
  return Crossing(a, b, axis).is_on_both();
}

/// Names the face whose normal separates as well as what was found, if there is one: the better of
/// both cores'.
void name_face(const Core& a, const Core& b, double rounding, DeepestPoint& deepest) {
  constexpr double kSameDirection = 1e-7;
  const auto separation = [&](const Core& core, std::int32_t face, double sign) {
    if (face < 0) return -std::numeric_limits<double>::infinity();
    const Vec3 normal = sign * core.normal(face);
    if ((normal - deepest.normal).norm() > kSameDirection) {
      return -std::numeric_limits<double>::infinity();
    }
    return separation_along(a, b, normal);
  };
  const std::int32_t face_a = face_towards(a, -deepest.normal);
  const std::int32_t face_b = face_towards(b, deepest.normal);
  const double by_a = separation(a, face_a, -1.0);
  const double by_b = separation(b, face_b, 1.0);
  if (std::max(by_a, by_b) < deepest.gap - rounding) return;
  if (by_a >= by_b - 1e-3 * rounding) {
    deepest.face_a = face_a;
  } else {
    deepest.face_b = face_b;
  }
}

/// The nearest of one core's vertices and the other's edges, ends included, by trying those that
/// are near. The iteration compares squares, and so tells nearest points that are hardly apart only
/// to the root of rounding.
class NearestVertexAndEdge {
 public:
  /// @p bound: the distance is not larger, m; @p normal about its direction.
  NearestVertexAndEdge(const Core& a, const Core& b, double bound, const Vec3& normal)
      : least_(bound) {
    const Slab slab(a, b, normal, bound);
    try_all(a, b, slab.of_a(), slab.of_b(), true);
    try_all(b, a, slab.of_b(), slab.of_a(), false);
  }

  bool found() const { return deepest_.feature != 0; }
  const DeepestPoint& deepest() const { return deepest_; }

 private:
  void try_all(const Core& with_vertex, const Core& with_edge, const HalfSpace& near_vertex,
               const HalfSpace& near_edge, bool vertex_is_of_a) {
    for (std::size_t e = 0; e < with_edge.hull().edges.size(); ++e) {
      const Hull::Edge& edge = with_edge.hull().edges[e];
      const Vec3 start = with_edge.vertex(edge.start);
      const Vec3 along = with_edge.vertex(edge.end) - start;
      if (!near_edge.holds(start) && !near_edge.holds(start + along)) continue;
      const double length2 = along.squaredNorm();
      for (std::size_t v = 0; v < with_vertex.hull().vertices.size(); ++v) {
        const Vec3 p = with_vertex.vertex(static_cast<std::int32_t>(v));
        if (!near_vertex.holds(p)) continue;
        const double share = std::clamp((p - start).dot(along) / length2, 0.0, 1.0);
        const Vec3 away = share < 0.5 ? Vec3(p - start - share * along)
                                      : Vec3(p - (start + along) + (1.0 - share) * along);
        const double distance = away.norm();
        if (distance > least_) continue;
        least_ = distance;
        std::int32_t of_edge = edge_feature(with_edge.hull(), static_cast<std::int32_t>(e));
        if (share == 0.0) of_edge = vertex_feature(edge.start);
        if (share == 1.0) of_edge = vertex_feature(edge.end);
        keep(p, away, vertex_feature(static_cast<std::int32_t>(v)), of_edge, vertex_is_of_a);
      }
    }
  }

  void keep(const Vec3& vertex, const Vec3& away, std::int32_t of_vertex, std::int32_t of_edge,
            bool vertex_is_of_a) {
    const Vec3 normal = least_ > 0.0 ? Vec3(away / least_) : Vec3(Vec3::Zero());
    if (vertex_is_of_a) {
      deepest_ = {least_, normal, vertex, vertex - away, pair_feature(of_vertex, of_edge)};
    } else {
      deepest_ = {least_, -normal, vertex - away, vertex, pair_feature(of_edge, of_vertex)};
    }
  }

  double least_;
  DeepestPoint deepest_{0.0, Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), 0};
};

/// Whether the normal of points that are apart parts the cores by as much, which says that they are
/// the nearest. It is known only to the points' rounding over their distance, and between edges
/// that are all but parallel, where points that are nearest to rounding lie along both, to the root
/// of rounding: gaps there agree to its square.
bool is_parted(const Core& a, const Core& b, double size, double rounding,
               const DeepestPoint& points) {
  constexpr double kRootOfRounding = 3e-8;
  const double loose = 100.0 * rounding + 1e-14 * size * size / points.gap + kRootOfRounding * size;
  return points.gap - separation_along(a, b, points.normal) <= loose;
}

}  // namespace

std::int32_t face_towards(const Core& core, const Vec3& direction, std::int32_t at) {
  std::int32_t best = -1;
  double most = -std::numeric_limits<double>::infinity();
  const Vec3 own = core.turned_to_own(direction);
  for (std::size_t f = 0; f < core.hull().faces.size(); ++f) {
    const double along = own.dot(core.hull().faces[f].normal);
    if (along <= most) continue;
    const auto loop = core.hull().loop(core.hull().faces[f]);
    if (at >= 0 && std::find(loop.begin(), loop.end(), at) == loop.end()) continue;
    most = along;
    best = static_cast<std::int32_t>(f);
  }
  return best;
}

DeepestPoint deepest_point(const Core& a, const Core& b, double far) {
  const double size = extent(a, b);
  // Faces flat to less than rounding move the bounds by so much.
  const double rounding = 1e-13 * size + 4.0 * (a.flatness() + b.flatness());
  const NearestPoints nearest = nearest_points(a, b, far);
  if (nearest.bound > far) return {nearest.bound, nearest.normal, {}, {}, 0};
  const bool apart = !nearest.overlap && nearest.distance > 1e-6 * size &&
                     nearest.distance - nearest.bound <= rounding;
  if (apart) {
    DeepestPoint deepest = of_nearest(a, b, nearest);
    name_face(a, b, rounding, deepest);
    return deepest;
  }
  const Axis axis = best_axis(a, b, nearest);
  DeepestPoint deepest{axis.separation, axis.normal, {}, {}, 0};
  if (axis.edge_a >= 0) deepest = of_edges(a, b, axis);
  // Planes through vertices or edges that are the nearest part cores that are apart to within their
  // distance, so that where no axis does they overlap, whatever the iteration ended with.
  const bool overlap = nearest.overlap || axis.separation < -nearest.distance;
  if (overlap || features_meet(a, b, axis)) {
    name_face(a, b, rounding, deepest);
    return deepest;
  }
  const NearestVertexAndEdge pair(a, b, nearest.distance + rounding, nearest.normal);
  if (pair.found()) deepest = pair.deepest();
  const bool is_bounded = nearest.distance - std::max(axis.separation, 0.0) <= rounding;
  if (nearest.distance <= rounding) {
    // Points that are hardly apart have no direction, but the axis has.
    deepest.gap = axis.separation;
    deepest.normal = axis.normal;
    deepest.point_b = deepest.point_a - deepest.gap * deepest.normal;
  } else if (!is_bounded && (!pair.found() || !is_parted(a, b, size, rounding, deepest))) {
    deepest.status = SeparationStatus::not_converged;
  }
  name_face(a, b, rounding, deepest);
  return deepest;
}

}  // namespace scree
