#include "scree/geometry/shapes/cylinder.hpp"

#include <numbers>

#include "round_section.hpp"
#include "scree/config/declaration.hpp"

namespace scree {

SupportingFace round_flat(double radius, double z, double side) {
  SupportingFace face;
  const std::int32_t first = side > 0.0 ? 0 : kRimPoints;
  for (std::int32_t k = 0; k < kRimPoints; ++k) {
    const double angle = side * 2.0 * std::numbers::pi * k / kRimPoints;
    face.corners.push_back({{radius * std::cos(angle), radius * std::sin(angle), z}, first + k});
  }
  return face;
}

SupportingFace Cylinder::supporting_face(const Vec3& direction, double tolerance) const {
  const double across = direction.head<2>().norm();
  const double end = std::copysign(0.5 * length, direction.z());
  if (across <= tolerance) return round_flat(radius, end, direction.z() < 0.0 ? -1.0 : 1.0);
  const Vec3 side = radius * outward_from_axis(direction);
  const Vec3 half(0.0, 0.0, 0.5 * length);
  if (std::abs(direction.z()) <= tolerance) {
    return {{{side + half, kHighPlace}, {side - half, kLowPlace}}};
  }
  return {{{side + Vec3(0.0, 0.0, end), direction.z() < 0.0 ? kLowPlace : kHighPlace}}};
}

SurfacePoint Cylinder::nearest(const Vec3& p) const {
  const Vec3 out = outward_from_axis(p);
  const Vec3 up(0.0, 0.0, std::copysign(1.0, p.z()));
  const double past_side = out.dot(p) - radius;
  const double past_end = std::abs(p.z()) - 0.5 * length;
  if (past_side > 0.0 && past_end > 0.0) {
    const Vec3 rim = radius * out + 0.5 * length * up;
    const double distance = std::hypot(past_side, past_end);
    return {rim, (past_side * out + past_end * up) / distance, distance};
  }
  if (past_side >= past_end) return {p - past_side * out, out, past_side};
  return {p - past_end * up, up, past_end};
}

void Cylinder::declare(Declaration& d) {
  d.real("radius", radius, {.help = "radius", .unit = "m", .above = 0.0, .required = true});
  d.real("length", length,
         {.help = "from end to end", .unit = "m", .above = 0.0, .required = true});
  d.require("length", length < 1000.0 * radius && 2.0 * radius < 1000.0 * length,
            "and diameter differ by 1:1000 or more; allowed: less than that");
}

}  // namespace scree
