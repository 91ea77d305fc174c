#pragma once

/// A cluster of balls and another shape: each ball's contact points within the margin, one
/// constraint for each pair of balls within reach, none left out.
///
/// Features: the number of the ball, and the other's feature (of another cluster its ball).

#include "geometry/pairs/convex/deepest.hpp"
#include "parts.hpp"
#include "scree/geometry/pairs/separation.hpp"
#include "scree/geometry/shapes/cluster.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {

/// @p contacts gives the manifold of a ball (with its pose) and B.
template <class B, class Contacts>
Manifold cluster_contact(const ScaledCluster& a, const Pose& pose_a, const B& b, const Pose& pose_b,
                         double margin, const Contacts& contacts) {
  PointsOfParts points(margin);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Sphere ball{a.radius(i)};
    const Pose pose = a.pose_of(i, pose_a);
    if (points.is_beyond(least_gap(pose.position, ball.radius, b, pose_b))) continue;
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
  PointsOfParts points(margin);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Sphere ball_a{a.radius(i)};
    const Pose at_a = a.pose_of(i, pose_a);
    if (points.is_beyond(least_gap(at_a.position, ball_a.radius, b, pose_b))) continue;
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
