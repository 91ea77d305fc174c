#include "scree/geometry/linking.hpp"

#include <algorithm>
#include <cmath>

namespace scree {

bool are_linked(const Circle& a, const Circle& b) {
  // b in the frame of a: centre + radius (cos(t) u + sin(t) v), which crosses z = 0 where
  // centre.z + radius (u.z cos(t) + v.z sin(t)) = 0
  const Vec3 centre = a.pose.to_body(b.pose.position);
  const Quat turn = a.pose.orientation.conjugate() * b.pose.orientation;
  const Vec3 u = turn * Vec3::UnitX();
  const Vec3 v = turn * Vec3::UnitY();
  const double amplitude = b.radius * std::hypot(u.z(), v.z());
  if (!(std::abs(centre.z()) < amplitude)) return false;
  const double phase = std::atan2(v.z(), u.z());
  const double half = std::acos(-centre.z() / amplitude);
  const auto is_inside = [&](double t) {
    const Vec3 point = centre + b.radius * (std::cos(t) * u + std::sin(t) * v);
    return point.head<2>().norm() < a.radius;
  };
  return is_inside(phase + half) != is_inside(phase - half);
}

}  // namespace scree
