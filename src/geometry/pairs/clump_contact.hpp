#pragma once

/// A clump and another shape: the contact points of its parts that are on the surface of the union.
///
/// A point p of a part, with the way out n there, is on that where no other part is nearer to p + d
/// n than d, for a small length d: else it is inside of another part, or an edge at a seam along
/// which the surface goes on flat or turns up, and what slides over the seam would be held by an
/// edge that is not there. Where bodies are apart their nearest points are never hidden; where they
/// overlap the deepest may be, and the deepest of the others comes first. Where all are, all count.
///
/// Features: the number of the part, then the part's own, on the clump's side; the other's feature.

#include <limits>

#include "parts.hpp"
#include "scree/base/check.hpp"
#include "scree/geometry/pairs/features.hpp"
#include "scree/geometry/shapes/clump.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {

/// The number on a clump's side of the feature @p feature of its part @p i.
inline std::int64_t feature_of_part(std::size_t i, std::int64_t feature) {
  SCREE_ASSERT(feature < std::int64_t{1} << kBitsOfPartFeature);
  return (static_cast<std::int64_t>(i) << kBitsOfPartFeature) + feature;
}

/// Whether the surface point @p p (world frame) of the part @p i, with the way out @p out there, is
/// inside of another part or at a seam.
inline bool is_hidden(const Vec3& p, const Vec3& out, std::size_t i, const ScaledClump& clump,
                      const Pose& pose) {
  constexpr double kOut = 1e-3;     // over the lesser inscribed radius of the two parts
  constexpr double kNearer = 1e-6;  // beyond the rounding of places far from the origin
  const Vec3 own = pose.to_body(p);
  const Vec3 way = pose.orientation.conjugate() * out;
  for (std::size_t k = 0; k < clump.size(); ++k) {
    const double d = kOut * std::min(clump.inscribed_radius_of(i), clump.inscribed_radius_of(k));
    const Vec3 beyond = own + d * way;
    const Pose place = clump.pose_of(k, Pose{});
    if (k == i || (beyond - place.position).norm() - clump.bounding_radius_of(k) >= d) continue;
    const double distance =
        nearest_of(clump.part(k), place.to_body(beyond), clump.library).distance;
    if (distance < (1.0 - kNearer) * d) return true;
  }
  return false;
}

/// The points of @p manifold that are not hidden; all, where each is.
template <class IsHidden>
Manifold without_hidden(const Manifold& manifold, const IsHidden& is_hidden_one) {
  PointsOfParts seen(std::numeric_limits<double>::infinity());
  bool any = false;
  for (const ContactPoint& point : manifold) {
    if (is_hidden_one(point)) continue;
    seen.add(point);
    any = true;
  }
  if (!any) return manifold;
  seen.note(manifold.status);
  return seen.taken();
}

/// @p contacts gives the manifold of a part (a Shape, with its pose) and B.
template <class B, class Contacts>
Manifold clump_contact(const ScaledClump& a, const Pose& pose_a, const B& b, const Pose& pose_b,
                       double margin, const Contacts& contacts) {
  PointsOfParts points(margin);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Pose pose = a.pose_of(i, pose_a);
    if (points.is_beyond(least_gap(pose.position, a.bounding_radius_of(i), b, pose_b))) continue;
    const Manifold manifold = contacts(a.part(i), pose);
    points.note(manifold.status);
    for (ContactPoint point : manifold) {
      point.feature = pair_feature(feature_of_part(i, feature_of_a(point.feature)),
                                   feature_of_b(point.feature));
      points.add(point);
    }
  }
  return without_hidden(points.taken(), [&](const ContactPoint& point) {
    const std::size_t i = ScaledClump::part_of_feature(feature_of_a(point.feature));
    return is_hidden(point.point_a, -point.normal, i, a, pose_a);
  });
}

/// Two clumps, each part with each. @p contacts gives the manifold of two parts.
template <class Contacts>
Manifold clumps_contact(const ScaledClump& a, const Pose& pose_a, const ScaledClump& b,
                        const Pose& pose_b, double margin, const Contacts& contacts) {
  PointsOfParts points(margin);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Pose at_a = a.pose_of(i, pose_a);
    const double radius_a = a.bounding_radius_of(i);
    if (points.is_beyond(least_gap(at_a.position, radius_a, b, pose_b))) continue;
    for (std::size_t k = 0; k < b.size(); ++k) {
      const Pose at_b = b.pose_of(k, pose_b);
      const double apart = (at_a.position - at_b.position).norm();
      if (points.is_beyond(apart - radius_a - b.bounding_radius_of(k))) continue;
      const Manifold manifold = contacts(a.part(i), at_a, b.part(k), at_b);
      points.note(manifold.status);
      for (ContactPoint point : manifold) {
        point.feature = pair_feature(feature_of_part(i, feature_of_a(point.feature)),
                                     feature_of_part(k, feature_of_b(point.feature)));
        points.add(point);
      }
    }
  }
  return without_hidden(points.taken(), [&](const ContactPoint& point) {
    const std::size_t i = ScaledClump::part_of_feature(feature_of_a(point.feature));
    const std::size_t k = ScaledClump::part_of_feature(feature_of_b(point.feature));
    return is_hidden(point.point_a, -point.normal, i, a, pose_a) ||
           is_hidden(point.point_b, point.normal, k, b, pose_b);
  });
}

}  // namespace scree
