#include "scree/geometry/orientation.hpp"

#include <cmath>
#include <numbers>

#include "scree/config/declaration.hpp"

namespace scree {

void AxisAngle::declare(Declaration& d) {
  d.vector("axis", axis, {.help = "axis of the rotation"});
  d.real("angle", angle, {.help = "angle, right-handed about the axis", .unit = "rad"});
  d.require("axis", axis.norm() > 0.0, "has no direction");
}

Quat random_rotation(const Vec3& random) {
  const double a = 2.0 * std::numbers::pi * random.y();
  const double b = 2.0 * std::numbers::pi * random.z();
  const double s = std::sqrt(1.0 - random.x());
  const double t = std::sqrt(random.x());
  return {t * std::cos(b), s * std::sin(a), s * std::cos(a), t * std::sin(b)};
}

}  // namespace scree
