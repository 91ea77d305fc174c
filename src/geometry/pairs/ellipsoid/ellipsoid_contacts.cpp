#include "ellipsoid_contacts.hpp"

#include <cmath>

#include "ellipsoid_features.hpp"
#include "ellipsoid_point.hpp"

namespace scree {

Manifold ellipsoid_point(const Ellipsoid& a, const Pose& pose_a, const FeatureDistance& found,
                         double radius) {
  const Vec3 normal = pose_a.orientation * -found.outward;
  const double gap = found.distance - radius;
  const Vec3 point_a = pose_a.to_world(support_of(a.axes(), found.outward));
  Manifold manifold;
  manifold.push_back({gap, normal, point_a, point_a - gap * normal, 0});
  if (!found.converged || !std::isfinite(gap)) manifold.status = SeparationStatus::not_converged;
  return manifold;
}

Manifold ellipsoid_and_plane(const Ellipsoid& a, const Pose& pose_a, const Vec3& normal,
                             const Vec3& on_plane) {
  const Vec3 outward = pose_a.orientation.conjugate() * -normal;
  const double height = normal.dot(pose_a.position - on_plane);
  return ellipsoid_point(a, pose_a, {outward, height - a.axes().cwiseProduct(outward).norm(), true},
                         0.0);
}

Manifold ellipsoid_and_ball(const Ellipsoid& a, const Pose& pose_a, const Vec3& centre,
                            double radius) {
  return ellipsoid_point(a, pose_a, distance_to_point(a.axes(), pose_a.to_body(centre)), radius);
}

}  // namespace scree
