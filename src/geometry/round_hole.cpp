#include "scree/geometry/shapes/round_hole.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Vec2 = Eigen::Vector2d;  ///< (rho, z) in a half plane that the axis bounds

/// Nearest point of the section, with `distance` negative inside.
struct SectionPoint {
  Vec2 point;
  Vec2 normal;
  double distance;
};

/// The wall of a hole with ends: from `start` upwards.
struct WallLine {
  explicit WallLine(const RoundHole& hole)
      : start(hole.low_radius, hole.low),
        length((Vec2(hole.high_radius, hole.high) - start).norm()),
        direction((Vec2(hole.high_radius, hole.high) - start) / length),
        normal(-direction.y(), direction.x()) {}

  Vec2 start;
  double length;
  Vec2 direction;
  Vec2 normal;  ///< unit normal of the wall, into the hole
};

/// The point of wall and faces nearest to a point within. @pre q is inside, or on the surface to rounding.
SectionPoint leave_section(const RoundHole& hole, const WallLine& wall, const Vec2& q) {
  const double to_wall = (q - wall.start).dot(wall.normal);  // negative inside
  const double to_top = q.y() - hole.high;
  const double to_bottom = hole.low - q.y();
  if (to_wall >= std::max(to_top, to_bottom)) {
    return {q - to_wall * wall.normal, wall.normal, to_wall};
  }
  if (to_top >= to_bottom) return {{q.x(), hole.high}, {0.0, 1.0}, to_top};
  return {{q.x(), hole.low}, {0.0, -1.0}, to_bottom};
}

SectionPoint nearest_in_section(const RoundHole& hole, const Vec2& q) {
  if (hole.endless()) return {{hole.low_radius, q.y()}, {-1.0, 0.0}, hole.low_radius - q.x()};
  const WallLine wall(hole);
  const double along = (q - wall.start).dot(wall.direction);
  const double off = (q - wall.start).dot(wall.normal);
  if (q.y() > hole.high && q.x() >= hole.high_radius) return leave_section(hole, wall, q);
  if (q.y() < hole.low && q.x() >= hole.low_radius) return leave_section(hole, wall, q);
  if (off <= 0.0 && q.y() >= hole.low && q.y() <= hole.high) return leave_section(hole, wall, q);
  const Vec2 point = wall.start + std::clamp(along, 0.0, wall.length) * wall.direction;
  const Vec2 away = q - point;
  const double distance = away.norm();
  // So close to the surface that `away` has no direction.
  if (distance <= 1e-14 * (point.norm() + wall.length)) return leave_section(hole, wall, q);
  return {point, away / distance, distance};
}

/// The direction from the axis to @p p; along x on the axis itself.
Vec3 radial(const Vec3& p) {
  const double rho = std::hypot(p.x(), p.y());
  return rho > 0.0 ? Vec3(p.x() / rho, p.y() / rho, 0.0) : Vec3(Vec3::UnitX());
}

/// @p v of the half plane at @p side of the axis.
Vec3 in_space(const Vec2& v, const Vec3& side) {
  return v.x() * side + v.y() * Vec3::UnitZ();
}

/// What bounds a ball about @p p on the given side of the hole: see RoundHole::around.
SurfacePoint on_side(const RoundHole& hole, const Vec3& p, const Vec3& side) {
  const SectionPoint s = nearest_in_section(hole, {p.dot(side), p.z()});
  const Vec3 point = in_space(s.point, side);
  const Vec3 away = p - point;
  const double distance = away.norm();
  const bool rim = !hole.endless() && (s.point.y() == hole.low || s.point.y() == hole.high);
  if (rim && distance > 0.0) return {point, away / distance, distance};
  const Vec3 normal = in_space(s.normal, side);
  return {p - s.distance * normal, normal, s.distance};
}

}  // namespace

SurfacePoint RoundHole::nearest(const Vec3& p) const {
  const Vec3 side = radial(p);
  const SectionPoint s = nearest_in_section(*this, {p.dot(side), p.z()});
  return {in_space(s.point, side), in_space(s.normal, side), s.distance};
}

std::array<SurfacePoint, 2> RoundHole::around(const Vec3& p) const {
  const Vec3 side = radial(p);
  const Eigen::AngleAxisd third(2.0 * std::numbers::pi / 3.0, Vec3::UnitZ());
  return {on_side(*this, p, third * side), on_side(*this, p, third.inverse() * side)};
}

/// All of space, but for what is beyond the ends when the axis is along one of the world's.
Box3 RoundHole::bounds(const Mat3& rotation) const {
  const Vec3 up = rotation.col(2);
  Box3 box{Vec3::Constant(-kInfinity), Vec3::Constant(kInfinity)};
  Eigen::Index axis = 0;
  up.cwiseAbs().maxCoeff(&axis);
  if (endless() || up.cwiseAbs().sum() - std::abs(up[axis]) > 1e-14) return box;
  box.low[axis] = up[axis] > 0.0 ? low : -high;
  box.high[axis] = up[axis] > 0.0 ? high : -low;
  return box;
}

void HollowCylinder::declare(Declaration& d) {
  double radius = low_radius;
  double length = endless() ? 0.0 : high;
  d.real("radius", radius, {.help = "radius", .unit = "m", .above = 0.0, .required = true});
  d.real("length", length,
         {.help = "from end to end, both open; 0: endless to both sides", .unit = "m", .min = 0.0});
  low_radius = high_radius = radius;
  low = length > 0.0 ? 0.0 : -kInfinity;
  high = length > 0.0 ? length : kInfinity;
}

void HollowCone::declare(Declaration& d) {
  d.real("low_radius", low_radius,
         {.help = "radius at z = 0", .unit = "m", .min = 0.0, .required = true});
  d.real("high_radius", high_radius,
         {.help = "radius at z = height", .unit = "m", .min = 0.0, .required = true});
  d.real("height", high,
         {.help = "from end to end, both open", .unit = "m", .above = 0.0, .required = true});
  d.require("high_radius", low_radius > 0.0 || high_radius > 0.0,
            "is zero as the low one; allowed: one of them");
}

void Orifice::declare(Declaration& d) {
  double radius = low_radius;
  double thickness = -low;
  d.real("radius", radius,
         {.help = "radius of the hole", .unit = "m", .above = 0.0, .required = true});
  d.real("thickness", thickness,
         {.help = "of the plate; what is pressed deeper than half of it leaves below",
          .unit = "m",
          .above = 0.0,
          .required = true});
  low_radius = high_radius = radius;
  low = -thickness;
}

}  // namespace scree
