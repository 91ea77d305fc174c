#include "scree/geometry/shapes/cone.hpp"

#include "round_section.hpp"
#include "scree/config/declaration.hpp"

namespace scree {

SupportingFace Cone::supporting_face(const Vec3& direction, double tolerance) const {
  const double across = direction.head<2>().norm();
  if (direction.z() < 0.0 && across <= tolerance) return round_flat(radius, base(), -1.0);
  const Vec3 rim = radius * outward_from_axis(direction) + Vec3(0.0, 0.0, base());
  const Vec3 top(0.0, 0.0, tip());
  const double past_side = (length * direction.z() - radius * across) / slant();
  if (std::abs(past_side) <= tolerance) return {{{top, kHighPlace}, {rim, kLowPlace}}};
  if (past_side > 0.0) return {{{top, kHighPlace}}};
  return {{{rim, kLowPlace}}};
}

SurfacePoint Cone::nearest(const Vec3& p) const {
  const Vec3 out = outward_from_axis(p);
  const double rho = out.dot(p);
  // along the side from the rim, and out of it
  const Eigen::Vector2d along(-radius / slant(), length / slant());
  const Eigen::Vector2d normal(along.y(), -along.x());
  const Eigen::Vector2d from_rim(rho - radius, p.z() - base());
  const double past_side = normal.dot(from_rim);
  const double past_base = base() - p.z();
  const double on_side = along.dot(from_rim);
  const auto towards = [&](const Vec3& corner) -> SurfacePoint {
    const double distance = (p - corner).norm();
    return {corner, (p - corner) / distance, distance};
  };
  if (past_side <= 0.0 && past_base <= 0.0) {
    if (past_base > past_side) {
      return {{p.x(), p.y(), base()}, -Vec3::UnitZ(), past_base};
    }
    const Vec3 n = normal.x() * out + normal.y() * Vec3::UnitZ();
    return {p - past_side * n, n, past_side};
  }
  if (past_base > 0.0 && rho <= radius) {
    return {{p.x(), p.y(), base()}, -Vec3::UnitZ(), past_base};
  }
  if (on_side >= slant()) return towards({0.0, 0.0, tip()});
  if (on_side <= 0.0) return towards(radius * out + Vec3(0.0, 0.0, base()));
  const Vec3 n = normal.x() * out + normal.y() * Vec3::UnitZ();
  return {p - past_side * n, n, past_side};
}

Box3 Cone::bounds(const Mat3& rotation) const {
  Box3 box;
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis = rotation.row(i).transpose();
    box.high[i] = axis.dot(support(axis));
    box.low[i] = axis.dot(support(-axis));
  }
  return box;
}

void Cone::declare(Declaration& d) {
  d.real("radius", radius, {.help = "of the base", .unit = "m", .above = 0.0, .required = true});
  d.real("length", length,
         {.help = "from the base to the tip", .unit = "m", .above = 0.0, .required = true});
  d.require("length", length < 1000.0 * radius && 2.0 * radius < 1000.0 * length,
            "and diameter of the base differ by 1:1000 or more; allowed: less than that");
}

}  // namespace scree
