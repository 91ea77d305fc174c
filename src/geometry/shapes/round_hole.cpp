#include "scree/geometry/shapes/round_hole.hpp"

#include <cmath>
#include <limits>

#include "geometry/pairs/hole/hole_section.hpp"
#include "scree/config/declaration.hpp"

namespace scree {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

}  // namespace

SurfacePoint RoundHole::nearest(const Vec3& p) const {
  return nearest_on_hole(*this, p);
}

std::array<SurfacePoint, 2> RoundHole::around(const Vec3& p) const {
  const std::array<HolePoint, 2> points = further_on_hole(*this, p);
  return {points[0], points[1]};
}

/// All of space, but for what is beyond the ends when the axis is along one of the world's.
Box3 RoundHole::bounds(const Mat3& rotation) const {
  const Vec3 up = rotation.col(2);
  Box3 box{Vec3::Constant(-kEndless), Vec3::Constant(kEndless)};
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
  low = length > 0.0 ? 0.0 : -kEndless;
  high = length > 0.0 ? length : kEndless;
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
         {.help = "of the plate; a grain that is pressed deeper than half of it leaves below",
          .unit = "m",
          .above = 0.0,
          .required = true});
  low_radius = high_radius = radius;
  low = -thickness;
}

}  // namespace scree
