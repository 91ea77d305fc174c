#pragma once

/// A clump and another shape: the contact points of its parts that are on the surface of the union.
///
/// A point p of a part, with the way out n there, is on that where no other part is nearer to p + d
/// n than d, for a small length d: else it is inside of another part, or next to a seam along which
/// the surface goes on flat or turns up, and what slides over the seam would be held by an edge
/// that is not there.
///
/// Features: the number of the part, then the part's own, on the clump's side; the other's feature.

#include <vector>

#include "parts.hpp"
#include "scree/base/check.hpp"
#include "scree/geometry/pairs/features.hpp"
#include "scree/geometry/shapes/clump.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {

/// The number on the clump's side of a feature of the pair of its part @p i and another.
inline std::int64_t feature_of_part(std::size_t i, std::int64_t feature) {
  const std::int64_t of_part = feature_of_a(feature);
  SCREE_ASSERT(of_part < std::int64_t{1} << kBitsOfPartFeature);
  return pair_feature((static_cast<std::int64_t>(i) << kBitsOfPartFeature) + of_part,
                      feature_of_b(feature));
}

/// Whether @p point, on the part @p i of @p a, is inside of another part or at a seam.
inline bool is_hidden(const ContactPoint& point, std::size_t i, const ScaledClump& a,
                      const Pose& pose_a) {
  constexpr double kOut = 1e-5;     // over the least inscribed radius
  constexpr double kNearer = 1e-6;  // beyond the rounding of places far from the origin
  const double out = kOut * a.inscribed_radius();
  const Vec3 p = pose_a.to_body(point.point_a - out * point.normal);
  for (std::size_t k = 0; k < a.size(); ++k) {
    const Pose own = a.pose_of(k, Pose{});
    if (k == i || (p - own.position).norm() - a.bounding_radius_of(k) >= out) continue;
    const double distance = nearest_of(a.part(k), own.to_body(p), a.library).distance;
    if (distance < (1.0 - kNearer) * out) return true;
  }
  return false;
}

/// The points of @p manifold on the surface of the union; all, where none is.
inline Manifold without_hidden(const Manifold& manifold, const ScaledClump& a, const Pose& pose_a) {
  PointsOfParts seen(std::numeric_limits<double>::infinity());
  bool any = false;
  for (const ContactPoint& point : manifold) {
    const std::size_t i = ScaledClump::part_of_feature(feature_of_a(point.feature));
    if (is_hidden(point, i, a, pose_a)) continue;
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
      point.feature = feature_of_part(i, point.feature);
      points.add(point);
    }
  }
  return a.size() > 1 ? without_hidden(points.taken(), a, pose_a) : points.taken();
}

}  // namespace scree
