#include "scree/geometry/pose.hpp"

#include <cmath>

namespace scree {

Quat rotation_by(const Vec3& w) {
  // below it the series of sine and cosine of half the angle are exact to rounding
  constexpr double kSmall = 0.1;
  const double squared = w.squaredNorm();
  if (squared < kSmall * kSmall) {
    const double x = 0.25 * squared;
    const double sine = 0.5 * (1.0 - x / 6.0 * (1.0 - x / 20.0 * (1.0 - x / 42.0)));
    const double cosine = 1.0 - x / 2.0 * (1.0 - x / 12.0 * (1.0 - x / 30.0 * (1.0 - x / 56.0)));
    return {cosine, sine * w.x(), sine * w.y(), sine * w.z()};
  }
  const double angle = std::sqrt(squared);
  const double s = std::sin(0.5 * angle) / angle;
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
