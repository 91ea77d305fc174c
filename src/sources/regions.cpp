#include "scree/sources/regions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/config/declaration.hpp"

namespace scree {

void BoxRegion::declare(Declaration& d) {
  d.vector("low", low, {.help = "lowest corner of the box", .unit = "m", .required = true});
  d.vector("high", high, {.help = "highest corner", .unit = "m", .required = true});
  d.require("high", (low.array() < high.array()).all(), "must exceed low in every direction");
}

std::optional<Interval> BoxRegion::chord(double /*y*/, double /*z*/, double clearance) const {
  return Interval{low.x() + clearance, high.x() - clearance};
}

void CylinderRegion::declare(Declaration& d) {
  d.vector("base", base, {.help = "centre of one end", .unit = "m", .required = true});
  d.vector("axis", axis, {.help = "direction from there to the other end"});
  d.real("radius", radius, {.help = "radius", .unit = "m", .above = 0.0, .required = true});
  d.real("height", height,
         {.help = "length along the axis", .unit = "m", .above = 0.0, .required = true});
  d.require("axis", axis.norm() > 0.0, "has no direction; allowed: any vector but zero");
}

Box3 CylinderRegion::bounds() const {
  const Vec3 a = axis.normalized();
  const Vec3 end = base + height * a;
  const Vec3 disc = radius * (1.0 - a.array().square()).max(0.0).sqrt();
  return {base.cwiseMin(end) - disc, base.cwiseMax(end) + disc};
}

std::optional<Interval> CylinderRegion::chord(double y, double z, double clearance) const {
  constexpr double kRounding = 1e-12;
  const Vec3 a = axis.normalized();
  const Vec3 p(0.0, y - base.y(), z - base.z());  // at x = base.x
  Interval x{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  // Between the ends: clearance <= p.a + x a_x <= height - clearance.
  const double along = p.dot(a);
  if (std::abs(a.x()) > kRounding) {
    const double one = (clearance - along) / a.x();
    const double other = (height - clearance - along) / a.x();
    x = std::minmax(one, other);
  } else if (along < clearance - kRounding * height ||
             along > height - clearance + kRounding * height) {
    return std::nullopt;
  }
  // Off the axis: |p + x e - ((p + x e).a) a| <= radius - clearance.
  const double reach = radius - clearance;
  const Vec3 q = p - along * a;
  const Vec3 e = Vec3::UnitX() - a.x() * a;
  const double ee = e.squaredNorm();
  const double excess = q.squaredNorm() - reach * reach;
  const double slack = kRounding * radius * radius;
  if (reach < 0.0) return std::nullopt;
  if (ee > kRounding) {
    const double half = q.dot(e) / ee;
    const double root = half * half - excess / ee;
    if (root < -slack / ee) return std::nullopt;
    const double width = std::sqrt(std::max(root, 0.0));
    x = {std::max(x.first, -half - width), std::min(x.second, -half + width)};
  } else if (excess > slack) {
    return std::nullopt;
  }
  if (x.first > x.second + kRounding * height) return std::nullopt;
  return Interval{base.x() + x.first, base.x() + std::max(x.first, x.second)};
}

Box3 bounds_of(const Region& region) {
  return std::visit([](const auto& one) { return one.bounds(); }, region);
}

std::optional<Interval> chord_of(const Region& region, double y, double z, double clearance) {
  return std::visit([&](const auto& one) { return one.chord(y, z, clearance); }, region);
}

}  // namespace scree
