#include "scree/geometry/pose.hpp"

#include <cmath>

namespace scree {

Quat rotation_by(const Vec3& w) {
  const double angle = w.norm();
  // sin(angle/2)/angle; below 1e-4 the series is exact to rounding.
  const double s = angle > 1e-4 ? std::sin(0.5 * angle) / angle : 0.5 - angle * angle / 48.0;
  return Quat(std::cos(0.5 * angle), s * w.x(), s * w.y(), s * w.z()).normalized();
}

Vec3 rotation_vector(const Quat& q) {
  const double s = q.vec().norm();
  if (s == 0.0) return Vec3::Zero();
  // q and -q are the same rotation: take the one with the smaller angle.
  const double half = q.w() < 0.0 ? -std::atan2(s, -q.w()) : std::atan2(s, q.w());
  return (2.0 * half / s) * q.vec();
}

Quat rotation_between(const Vec3& from, const Vec3& to) {
  return Quat::FromTwoVectors(from, to);
}

Pose moved(const Pose& pose, const Vec3& velocity, const Vec3& angular_velocity, double t) {
  if (angular_velocity.isZero(0.0)) return {pose.position + t * velocity, pose.orientation};
  return {pose.position + t * velocity,
          (rotation_by(t * angular_velocity) * pose.orientation).normalized()};
}

}  // namespace scree
