#pragma once

/// Solids with a round hole along their z axis: walls that hold grains inside.
///
///     solid = { low <= z <= high, rho >= rho(z) },    rho(z) straight from low_radius to high_radius
///
/// rho being the distance from the axis: solid all around the hole, however far, so that no grain
/// is ever pressed through the wall. Three words in YAML name special cases of it: a cylinder, a
/// cone and an orifice. In the half plane (rho, z) the solid is convex, and so its nearest point
/// is one of a wall, two faces and two rims. Only for walls: it has no finite mass.

#include <array>
#include <limits>
#include <string_view>

#include "scree/geometry/shapes/shape.hpp"

namespace scree {

class Declaration;

struct RoundHole {
  double low_radius = 0.0;   ///< m, at z = low
  double high_radius = 0.0;  ///< m, at z = high; the same where the hole has no ends
  double low = 0.0;          ///< m; minus infinity where the hole has no ends
  double high = 0.0;         ///< m

  SurfacePoint nearest(const Vec3& p) const;
  /// The points that a ball about @p p meets on two other sides of the hole, a third of a turn from
  /// the nearest point: a ball that is too large for the hole rests on three points. Of the wall
  /// the plane that touches it there, which no ball inside may cross; of a rim its point.
  std::array<SurfacePoint, 2> around(const Vec3& p) const;
  Box3 bounds(const Mat3& rotation) const;
  double volume() const { return std::numeric_limits<double>::infinity(); }
  Vec3 inertia_per_mass() const { return Vec3::Constant(std::numeric_limits<double>::infinity()); }

  bool endless() const { return high == std::numeric_limits<double>::infinity(); }
};

struct HollowCylinder : RoundHole {
  static constexpr std::string_view kType = "hollow_cylinder";
  static constexpr std::string_view kHelp =
      "inside of a cylinder about its z axis, from z = 0 up; solid all around";

  void declare(Declaration& d);
};

struct HollowCone : RoundHole {
  static constexpr std::string_view kType = "hollow_cone";
  static constexpr std::string_view kHelp =
      "inside of a truncated cone about its z axis, from z = 0 up; solid all around";

  void declare(Declaration& d);
};

struct Orifice : RoundHole {
  static constexpr std::string_view kType = "orifice";
  static constexpr std::string_view kHelp =
      "endless plate below its local z = 0, with a round hole about its z axis";

  void declare(Declaration& d);
};

}  // namespace scree
