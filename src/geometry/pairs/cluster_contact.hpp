#pragma once

/// A cluster of balls and another shape: each ball's contact points within the margin, one
/// constraint for each pair of balls within reach, none left out.
///
/// Features: the number of the ball, and the other's feature (of another cluster its ball).

#include <algorithm>
#include <limits>
#include <utility>

#include "geometry/pairs/convex/deepest.hpp"
#include "scree/geometry/pairs/manifold.hpp"
#include "scree/geometry/pairs/separation.hpp"
#include "scree/geometry/shapes/cluster.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {

/// The points within the margin, and the deepest in any case.
class ClusterPoints {
 public:
  explicit ClusterPoints(double margin) : margin_(margin) {}

  void add(const ContactPoint& point) {
    const bool deepest = manifold_.size() == 0 || point.gap < deepest_gap_;
    if (!deepest && point.gap > margin_) return;
    // A deepest one beyond the margin is there only until there is a deeper one.
    if (manifold_.size() == 1 && deepest_gap_ > margin_) manifold_.truncate(0);
    manifold_.push_back(point);
    if (!deepest) return;
    deepest_gap_ = point.gap;
    deepest_at_ = manifold_.size() - 1;
  }
  /// Whether a point with at least this gap would be of no use.
  bool is_beyond(double gap) const { return gap > std::max(margin_, deepest_gap_); }
  void note(SeparationStatus status) {
    if (status != SeparationStatus::solved) manifold_.status = status;
  }
  /// The points with the deepest first.
  Manifold taken() {
    std::swap(*manifold_.begin(), *(manifold_.begin() + deepest_at_));
    return std::move(manifold_);
  }

 private:
  double margin_;
  Manifold manifold_;
  double deepest_gap_ = std::numeric_limits<double>::infinity();
  std::size_t deepest_at_ = 0;
};

/// The least gap that a ball may have from anything of @p b, m.
template <class B>
double least_gap(const Sphere& ball, const Pose& pose, const B& b, const Pose& pose_b) {
  if constexpr (requires { b.bounding_radius(); }) {
    return (pose.position - pose_b.position).norm() - ball.radius - b.bounding_radius();
  } else {
    return -std::numeric_limits<double>::infinity();
  }
}

/// @p contacts gives the manifold of a ball (with its pose) and B.
template <class B, class Contacts>
Manifold cluster_contact(const ScaledCluster& a, const Pose& pose_a, const B& b, const Pose& pose_b,
                         double margin, const Contacts& contacts) {
  ClusterPoints points(margin);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Sphere ball{a.radius(i)};
    const Pose pose = a.pose_of(i, pose_a);
    if (points.is_beyond(least_gap(ball, pose, b, pose_b))) continue;
    const Manifold manifold = contacts(ball, pose);
    points.note(manifold.status);
    for (ContactPoint point : manifold) {
      point.feature = pair_feature(static_cast<std::int32_t>(i), point.feature);
      points.add(point);
    }
  }
  return points.taken();
}

/// Two clusters: every ball with every ball.
inline Manifold cluster_contact(const ScaledCluster& a, const Pose& pose_a, const ScaledCluster& b,
                                const Pose& pose_b, double margin) {
  ClusterPoints points(margin);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Sphere ball_a{a.radius(i)};
    const Pose at_a = a.pose_of(i, pose_a);
    if (points.is_beyond(least_gap(ball_a, at_a, b, pose_b))) continue;
    // In B's frame, so that B's balls need no turning.
    const Vec3 centre = pose_b.to_body(at_a.position);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const Sphere ball_b{b.radius(j)};
      const Vec3 apart = centre - b.scale * b.cluster.balls[j].centre;
      const double reach = ball_a.radius + ball_b.radius;
      if (points.is_beyond(apart.norm() - reach)) continue;
      const Separation s = separation_of(ball_a, at_a, ball_b, b.pose_of(j, pose_b));
      points.add({s.gap, s.normal, s.point_a, s.point_b,
                  pair_feature(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j))});
    }
  }
  return points.taken();
}

}  // namespace scree
