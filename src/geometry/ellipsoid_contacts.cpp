#include "scree/geometry/ellipsoid_contacts.hpp"

#include <cmath>

#include "ellipsoid_point.hpp"
#include "scree/geometry/ellipsoid_features.hpp"

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

namespace {

/// Along the longest axis of the shadow, to the side of the ellipsoid's own, so that it turns smoothly with one that lies
/// across; for one that stands along the hole, or is round about its short axis, the side may change.
Vec3 long_axis(const Ellipsoid& a, const Shadow& shadow) {
  Eigen::Index longest = 0;
  a.axes().maxCoeff(&longest);
  const Vec3 along = shadow.in_space(Eigen::Vector2d::UnitX());
  return along[longest] < 0.0 ? Vec3(-along) : along;
}

}  // namespace

Manifold ellipsoid_in_round_hole(const Ellipsoid& a, const Pose& pose_a, const Vec3& on_axis,
                                 const Vec3& axis, double radius, double margin) {
  const Shadow shadow(a.axes(), pose_a.orientation.conjugate() * axis);
  const Eigen::Vector2d centre = shadow.trace(pose_a.to_body(on_axis));
  const Vec3 along = long_axis(a, shadow);
  // The wall is met along the radius through the farthest point, which is the ellipse's normal there.
  const auto point_of = [&](const FarthestOnEllipse& far) {
    const FeatureDistance found{shadow.in_space(far.outward), radius - far.distance, far.converged};
    Manifold point = ellipsoid_point(a, pose_a, found, 0.0);
    point.begin()->feature = found.outward.dot(along) < 0.0 ? 1 : 0;
    return point;
  };
  Manifold manifold = point_of(farthest_on_ellipse(shadow.semi_axes(), centre));
  const auto other = second_farthest_on_ellipse(shadow.semi_axes(), centre);
  if (other && radius - other->distance < margin) manifold.push_back(point_of(*other)[0]);
  return manifold;
}

}  // namespace scree
