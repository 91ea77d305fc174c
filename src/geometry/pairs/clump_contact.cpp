#include "clump_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "parts.hpp"
#include "scree/base/check.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/pairs/features.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

/// The number on a clump's side of the feature @p feature of its part @p i.
std::int64_t feature_of_part(std::size_t i, std::int64_t feature) {
  SCREE_ASSERT(feature < static_cast<std::int64_t>(kMostPartFeatures));
  return (static_cast<std::int64_t>(i) << kBitsOfPartFeature) + feature;
}

/// Whether the surface point @p p (world frame) of the part @p i, with the way out @p out there, is
/// inside of another part or at a seam.
bool is_hidden(const Vec3& p, const Vec3& out, std::size_t i, const ScaledClump& clump,
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

/// The least gap that a part within @p radius of @p centre may have from anything of @p b, m.
double least_gap_from(const Vec3& centre, double radius, const Shape& b, const Pose& pose_b,
                      const ShapeLibrary& library) {
  if (b.is<Mesh>()) return -std::numeric_limits<double>::infinity();
  const double bound = bounding_radius(b, library);
  if (std::isfinite(bound)) return (centre - pose_b.position).norm() - radius - bound;
  return nearest_of(b, pose_b.to_body(centre), library).distance - radius;
}

}  // namespace

Manifold clump_contact(const ScaledClump& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                       double margin) {
  PointsOfParts points(margin);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Pose pose = a.pose_of(i, pose_a);
    const double radius = a.bounding_radius_of(i);
    if (points.is_beyond(least_gap_from(pose.position, radius, b, pose_b, a.library))) continue;
    const Manifold manifold = contacts_between(a.part(i), pose, b, pose_b, a.library, margin);
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

Manifold clumps_contact(const ScaledClump& a, const Pose& pose_a, const ScaledClump& b,
                        const Pose& pose_b, double margin) {
  PointsOfParts points(margin);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Pose at_a = a.pose_of(i, pose_a);
    const double radius_a = a.bounding_radius_of(i);
    const double from_all = (at_a.position - pose_b.position).norm() - b.bounding_radius();
    if (points.is_beyond(from_all - radius_a)) continue;
    for (std::size_t k = 0; k < b.size(); ++k) {
      const Pose at_b = b.pose_of(k, pose_b);
      const double apart = (at_a.position - at_b.position).norm();
      if (points.is_beyond(apart - radius_a - b.bounding_radius_of(k))) continue;
      const Manifold manifold =
          contacts_between(a.part(i), at_a, b.part(k), at_b, a.library, margin);
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
