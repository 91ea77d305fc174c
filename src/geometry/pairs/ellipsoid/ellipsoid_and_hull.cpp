#include <algorithm>
#include <limits>
#include <optional>

#include "ellipsoid_contacts.hpp"
#include "ellipsoid_features.hpp"
#include "ellipsoid_point.hpp"

namespace scree {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Sine of the angle by which a direction may leave the normal cone of its feature.
constexpr double kConeRounding = 1e-13;
/// Features on the walk; each is strictly nearer than the one before.
constexpr int kMaxSteps = 100;

/// A face of the polytope, with the separation along its normal.
struct FaceDistance {
  std::int32_t face;
  double distance;
};

/// An edge of the polytope (or, at one of its ends, a vertex) and the distance to it.
struct EdgeDistance {
  std::int32_t edge;
  SegmentDistance segment;
};

/// How the distance changes from a vertex along an edge, per metre.
struct EdgeSlope {
  std::int32_t edge;
  double slope;
};

/// The features of a polytope as an ellipsoid meets them, in the ellipsoid's frame.
class PolytopeFeatures {
 public:
  PolytopeFeatures(const Ellipsoid& a, const Pose& pose_a, const Hull& hull, const Vec3& stretch,
                   const Pose& pose_b)
      : semi_axes_(a.axes()),
        hull_(hull),
        stretch_(stretch),
        turn_((pose_a.orientation.conjugate() * pose_b.orientation).toRotationMatrix()),
        shift_(pose_a.to_body(pose_b.position)) {}

  /// The face with the largest separation along its normal.
  FaceDistance best_face() const;
  FeatureDistance to_feature_distance(const FaceDistance& found) const {
    return {-normal(found.face), found.distance, true};
  }
  FaceDistance distance_to_face(std::int32_t f) const { return {f, separation_along_normal(f)}; }
  /// Whether the ellipsoid's point nearest to the plane of the face @p f is above its polygon.
  bool stands_on(std::int32_t f) const;
  /// The nearest of the edges of the face @p f beyond which that point is: the nearest point of the
  /// face is on one of them.
  EdgeDistance nearest_beside(std::int32_t f) const;
  EdgeDistance distance_to_edge(std::int32_t e) const {
    return {e, distance_to_segment(semi_axes_, vertex(edge(e).start), vertex(edge(e).end))};
  }
  /// The face beside the edge @p at into which the distance falls, if any.
  std::optional<std::int32_t> face_downhill(const EdgeDistance& at) const;
  EdgeSlope steepest_from(std::int32_t v, const Vec3& outward) const;
  std::int32_t vertex_of(const EdgeDistance& at) const {
    return at.segment.at == SegmentDistance::At::start ? edge(at.edge).start : edge(at.edge).end;
  }
  /// The best of all faces, edges and vertices, @p best being the best face.
  FeatureDistance best_of_all(const FaceDistance& best) const;

 private:
  const Hull::Face& face(std::int32_t i) const { return hull_.faces[i]; }
  const Hull::Edge& edge(std::int32_t i) const { return hull_.edges[i]; }
  std::int32_t in_loop(std::int32_t i) const { return hull_.loops[i]; }
  Vec3 normal(std::int32_t f) const { return turn_ * face(f).normal; }
  /// A vertex in the polytope's frame, and in the ellipsoid's.
  Vec3 own_vertex(std::int32_t i) const { return stretch_.cwiseProduct(hull_.vertices[i]); }
  Vec3 vertex(std::int32_t i) const { return shift_ + turn_ * own_vertex(i); }

  double separation_along_normal(std::int32_t f) const {
    const Vec3 n = normal(f);
    return -n.dot(vertex(in_loop(face(f).begin))) - semi_axes_.cwiseProduct(n).norm();
  }
  double separation(const Vec3& outward) const;
  void keep_better(FeatureDistance& best, const FeatureDistance& found) const;
  /// The ellipsoid's point nearest to the plane of the face, in the polytope's frame.
  Vec3 foot_on(std::int32_t f) const {
    return turn_.transpose() * (support_of(semi_axes_, -normal(f)) - shift_);
  }
  bool beyond(const Vec3& foot, std::int32_t f, std::int32_t place) const;

  Vec3 semi_axes_;
  const Hull& hull_;
  Vec3 stretch_;
  Mat3 turn_;   ///< rotation from the polytope's frame to the ellipsoid's
  Vec3 shift_;  ///< the polytope's origin in the ellipsoid's frame
};

FaceDistance PolytopeFeatures::best_face() const {
  FaceDistance best{0, -kInfinity};
  for (std::int32_t f = 0; f < static_cast<std::int32_t>(hull_.faces.size()); ++f) {
    const double distance = separation_along_normal(f);
    if (distance > best.distance) best = {f, distance};
  }
  return best;
}

/// Whether @p foot is outside of the edge that begins at @p place of the loop of the face @p f.
bool PolytopeFeatures::beyond(const Vec3& foot, std::int32_t f, std::int32_t place) const {
  const Hull::Face& of = face(f);
  const std::int32_t next = place + 1 == of.end ? of.begin : place + 1;
  const Vec3 start = own_vertex(in_loop(place));
  const Vec3 along = own_vertex(in_loop(next)) - start;
  return along.cross(foot - start).dot(of.normal) < 0.0;
}

bool PolytopeFeatures::stands_on(std::int32_t f) const {
  const Vec3 foot = foot_on(f);
  for (std::int32_t place = face(f).begin; place < face(f).end; ++place) {
    if (beyond(foot, f, place)) return false;
  }
  return true;
}

EdgeDistance PolytopeFeatures::nearest_beside(std::int32_t f) const {
  const Vec3 foot = foot_on(f);
  EdgeDistance nearest{};
  nearest.segment.distance = kInfinity;
  for (std::int32_t place = face(f).begin; place < face(f).end; ++place) {
    if (!beyond(foot, f, place)) continue;
    const EdgeDistance found = distance_to_edge(hull_.loop_edges[place]);
    if (found.segment.distance < nearest.segment.distance) nearest = found;
  }
  return nearest;
}

std::optional<std::int32_t> PolytopeFeatures::face_downhill(const EdgeDistance& at) const {
  const Hull::Edge& e = edge(at.edge);
  const Vec3 along = (vertex(e.end) - vertex(e.start)).normalized();
  // Into the left face, counter-clockwise about its normal, and into the right one.
  if (at.segment.outward.dot(normal(e.left).cross(along)) < -kConeRounding) return e.left;
  if (at.segment.outward.dot(along.cross(normal(e.right))) < -kConeRounding) return e.right;
  return std::nullopt;
}

EdgeSlope PolytopeFeatures::steepest_from(std::int32_t v, const Vec3& outward) const {
  const Vec3 own_outward = turn_.transpose() * outward;
  EdgeSlope steepest{-1, kInfinity};
  for (std::int32_t e = 0; e < static_cast<std::int32_t>(hull_.edges.size()); ++e) {
    const auto [start, end, left, right] = edge(e);
    if (start != v && end != v) continue;
    const Vec3 along = own_vertex(start == v ? end : start) - own_vertex(v);
    const double slope = own_outward.dot(along) / along.norm();
    if (slope < steepest.slope) steepest = {e, slope};
  }
  return steepest;
}

/// G of ellipsoid_contacts.hpp.
double PolytopeFeatures::separation(const Vec3& outward) const {
  const Vec3 own = stretch_.cwiseProduct(turn_.transpose() * outward);
  double least = kInfinity;
  for (const Vec3& v : hull_.vertices) least = std::min(least, own.dot(v));
  return outward.dot(shift_) + least - semi_axes_.cwiseProduct(outward).norm();
}

/// The distance of @p found to its feature bounds the separation along it, which is looked up only
/// where it may be better.
void PolytopeFeatures::keep_better(FeatureDistance& best, const FeatureDistance& found) const {
  if (found.distance <= best.distance) return;
  const double distance = separation(found.outward);
  if (distance > best.distance) best = {found.outward, distance, found.converged};
}

FeatureDistance PolytopeFeatures::best_of_all(const FaceDistance& best_face) const {
  FeatureDistance best = to_feature_distance(best_face);
  for (const Hull::Edge& e : hull_.edges) {
    const Vec3 start = vertex(e.start);
    const auto minima = minima_to_line(semi_axes_, start, (vertex(e.end) - start).normalized());
    keep_better(best, minima.least);
    if (minima.other) keep_better(best, *minima.other);
  }
  for (std::int32_t v = 0; v < static_cast<std::int32_t>(hull_.vertices.size()); ++v) {
    const auto minima = minima_to_point(semi_axes_, vertex(v));
    keep_better(best, minima.least);
    if (minima.other) keep_better(best, *minima.other);
  }
  return best;
}

/// A walk downhill over the polytope's surface. Apart, the distance from the ellipsoid is convex
/// there, each feature's nearest point is exact, and the walk ends where no neighbour is nearer,
/// which is the nearest point. Nothing where it finds no stationary distance: they overlap, not at
/// a face.
std::optional<FeatureDistance> walk(const PolytopeFeatures& features, const FaceDistance& start) {
  FaceDistance on_face = start;
  double last = kInfinity;
  while (!features.stands_on(on_face.face)) {
    EdgeDistance at = features.nearest_beside(on_face.face);
    std::optional<std::int32_t> downhill;
    for (int k = 0; k < kMaxSteps; ++k) {
      if (!at.segment.stationary || at.segment.distance >= last) return std::nullopt;
      last = at.segment.distance;
      if (at.segment.at == SegmentDistance::At::inside) {
        downhill = features.face_downhill(at);
        if (!downhill) return at.segment;
        break;
      }
      const EdgeSlope steepest = features.steepest_from(features.vertex_of(at), at.segment.outward);
      if (steepest.slope >= -kConeRounding) return at.segment;
      at = features.distance_to_edge(steepest.edge);
    }
    if (!downhill) return std::nullopt;
    on_face = features.distance_to_face(*downhill);
  }
  return features.to_feature_distance(on_face);
}

}  // namespace

Manifold ellipsoid_and_hull(const Ellipsoid& a, const Pose& pose_a, const Hull& hull,
                            const Vec3& stretch, const Pose& pose_b, double radius) {
  const PolytopeFeatures features(a, pose_a, hull, stretch, pose_b);
  const FaceDistance best_face = features.best_face();
  const std::optional<FeatureDistance> found = walk(features, best_face);
  if (found && (found->distance > 0.0 || -found->distance <= a.rolling_radius())) {
    return ellipsoid_point(a, pose_a, *found, radius);
  }
  return ellipsoid_point(a, pose_a, features.best_of_all(best_face), radius);
}

}  // namespace scree
