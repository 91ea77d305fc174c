#include "separating_axis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace scree {
namespace {

/// Edges at a smaller angle have no cross product to speak of; what they bound is then as near to
/// the neighbouring faces' normals.
constexpr double kParallel = 1e-10;
/// Rounding of the products of unit vectors that tell whether arcs cross.
constexpr double kArcRounding = 1e-12;

/// An edge of a core, where it is.
struct PlacedEdge {
  PlacedEdge(const Core& core, std::size_t i) : index(static_cast<std::int32_t>(i)) {
    const Hull::Edge& edge = core.hull().edges[i];
    start = core.vertex(edge.start);
    end = core.vertex(edge.end);
    low = start.cwiseMin(end);
    high = start.cwiseMax(end);
    has_faces = edge.left >= 0;
    const Vec3 along = end - start;
    const double length = along.norm();
    direction = length > 0.0 ? Vec3(along / length) : Vec3(Vec3::UnitX());
    if (!has_faces) return;
    left = core.normal(edge.left);
    right = core.normal(edge.right);
  }

  std::int32_t index;
  Vec3 start, end, direction;
  Vec3 low, high;  ///< corners of its box
  bool has_faces;
  Vec3 left = Vec3::Zero(), right = Vec3::Zero();  ///< normals of its faces
};

/// Whether the arc of each edge crosses the great circle of the other. The arc of a segment without
/// faces is the whole circle.
bool arcs_cross_circles(const PlacedEdge& a, const PlacedEdge& b) {
  return b.direction.dot(a.left) * b.direction.dot(a.right) <= kArcRounding &&
         a.direction.dot(b.left) * a.direction.dot(b.right) <= kArcRounding;
}

class Search {
 public:
  Search(const Core& a, const Core& b) : a_(a), b_(b) {}

  Axis run(const NearestPoints& nearest) {
    try_faces(a_, b_, -1.0);
    try_faces(b_, a_, 1.0);
    // Edges that meet are as far apart as the cores; planes through vertices and edges that are the
    // nearest part the cores to within the distance. Where no axis does, the cores overlap.
    if (!nearest.overlap && nearest.distance > 0.0) {
      try_edges_within(nearest.distance, nearest.normal);
      if (best_.separation >= -nearest.distance) return best_;
    }
    try_edges_within(-best_.separation, best_.normal);
    return best_;
  }

 private:
  /// The normals of @p core's faces; @p sign turns them from B to A. A ball in the other core says
  /// of most of them that they part the two by less than the face that it is highest above.
  void try_faces(const Core& core, const Core& other, double sign) {
    const std::size_t n_faces = core.hull().faces.size();
    if (n_faces == 0) return;
    const Core::InnerBall ball = other.inner_ball();
    const Vec3 centre = core.to_own(ball.centre);
    std::size_t likely = 0;
    double highest = -std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < n_faces; ++f) {
      const double height = core.height_above(f, centre);
      if (height <= highest) continue;
      highest = height;
      likely = f;
    }
    const double rounding = 1e-12 * (a_.reach() + b_.reach());
    const double least = std::max(best_.separation, separation_by(core, likely, other)) - rounding;
    for (std::size_t f = 0; f < n_faces; ++f) {
      if (core.height_above(f, centre) - ball.radius < least) continue;
      const double s = separation_by(core, f, other);
      if (s <= best_.separation) continue;
      best_ = {s, sign * core.normal(f)};
      (sign < 0.0 ? best_.face_a : best_.face_b) = static_cast<std::int32_t>(f);
    }
  }

  /// How far the normal of a face of @p core parts it from the other, m.
  static double separation_by(const Core& core, std::size_t face, const Core& other) {
    const Vec3 normal = core.normal(face);
    const std::int32_t own = core.hull().loops[core.hull().faces[face].begin];
    const std::int32_t top = core.flatness() > 0.0 ? core.support(normal, own) : own;
    return normal.dot(other.vertex(other.support(-normal)) - core.vertex(top));
  }

  /// Pairs of edges that may be within @p near of each other; a better axis needs no more. @p
  /// normal is about the axis.
  void try_edges_within(double near, const Vec3& normal) {
    const double wide = near + 1e-12 * (a_.reach() + b_.reach());
    const Slab slab(a_, b_, normal, wide);
    near_a_.clear();
    near_a_.reserve(a_.hull().edges.size());
    for_each_edge_in(slab.of_a(), a_, [this](std::size_t i) { near_a_.emplace_back(a_, i); });
    for_each_edge_in(slab.of_b(), b_, [&](std::size_t i) { try_edge_of_b({b_, i}, wide); });
  }

  /// The edges of @p core that have an end in the half space.
  template <class Visit>
  static void for_each_edge_in(const HalfSpace& half, const Core& core, const Visit& visit) {
    const Vec3 own = core.seen_by_vertices(half.normal);
    const double offset = half.offset - half.normal.dot(core.origin());
    const std::vector<Vec3>& vertices = core.hull().vertices;
    for (std::size_t i = 0; i < core.hull().edges.size(); ++i) {
      const Hull::Edge& edge = core.hull().edges[i];
      if (std::min(own.dot(vertices[edge.start]), own.dot(vertices[edge.end])) <= offset) visit(i);
    }
  }

  void try_edge_of_b(const PlacedEdge& b, double near) {
    const Vec3 low = b.low.array() - near;
    const Vec3 high = b.high.array() + near;
    for (const PlacedEdge& a : near_a_) {
      if ((a.high.array() < low.array()).any()) continue;
      if ((a.low.array() > high.array()).any()) continue;
      try_edges(a, b);
    }
  }

  void try_edges(const PlacedEdge& a, const PlacedEdge& b) {
    if (!arcs_cross_circles(a, b)) return;
    Vec3 normal = a.direction.cross(b.direction);
    const double sine = normal.norm();
    if (sine < kParallel) return;
    normal /= sine;
    // The product of nearly parallel edges is rough: exactly across both again.
    normal = (normal - normal.dot(a.direction) * a.direction).normalized();
    // The normal points into A and out of B, where it is in both arcs (one of them reversed).
    const double out_of_a = normal.dot(a.left + a.right);
    const double out_of_b = normal.dot(b.left + b.right);
    if (out_of_a * out_of_b > kArcRounding) return;
    if (out_of_a > out_of_b) normal = -normal;
    const double claimed = normal.dot(a.start - b.start);
    if (claimed <= best_.separation) return;
    // The claimed separation may be rounding: only that of all the vertices counts.
    const double s = separation_along(a_, b_, normal);
    if (s > best_.separation) best_ = {s, normal, -1, -1, a.index, b.index};
  }

  const Core& a_;
  const Core& b_;
  std::vector<PlacedEdge> near_a_;
  Axis best_{-std::numeric_limits<double>::infinity(), Vec3::Zero()};
};

}  // namespace

double separation_along(const Core& a, const Core& b, const Vec3& normal) {
  return normal.dot(a.vertex(a.support(-normal)) - b.vertex(b.support(normal)));
}

Axis best_axis(const Core& a, const Core& b, const NearestPoints& nearest) {
  return Search(a, b).run(nearest);
}

Slab::Slab(const Core& a, const Core& b, const Vec3& normal, double near)
    : of_a_{normal, normal.dot(b.vertex(b.support(normal))) + near},
      of_b_{-normal, near - normal.dot(a.vertex(a.support(-normal)))} {}

}  // namespace scree
