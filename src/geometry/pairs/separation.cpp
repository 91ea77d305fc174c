#include "scree/geometry/pairs/separation.hpp"

namespace scree {
Separation separation_of(const Sphere& a, const Pose& pose_a, const Sphere& b, const Pose& pose_b) {
  const Vec3 d = pose_a.position - pose_b.position;
  const double distance = d.norm();
  const Vec3 normal = distance > 0.0 ? Vec3(d / distance) : Vec3(Vec3::UnitZ());
  return {distance - (a.radius + b.radius), normal, pose_a.position - a.radius * normal,
          pose_b.position + b.radius * normal};
}

std::array<Separation, 2> further_separations(const Sphere& a, const Pose& pose_a,
                                              const RoundHole& b, const Pose& pose_b) {
  const std::array<SurfacePoint, 2> points = b.around(pose_b.to_body(pose_a.position));
  return {separation_from(a, pose_a, points[0], pose_b),
          separation_from(a, pose_a, points[1], pose_b)};
}

}  // namespace scree
