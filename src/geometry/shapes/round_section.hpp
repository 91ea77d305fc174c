#pragma once

/// Shapes of revolution about z, by their section in a half plane (rho, z) that the axis bounds.

#include <cmath>

#include "scree/geometry/shapes/shape.hpp"
#include "scree/geometry/shapes/supporting_face.hpp"

namespace scree {

/// The direction from the axis to @p p; along x on the axis itself. By a root: hypot() guards
/// against numbers that metres are not, and took a seventh of the contacts of rings.
inline Vec3 outward_from_axis(const Vec3& p) {
  const double rho = p.head<2>().norm();
  return rho > 0.0 ? Vec3(p.x() / rho, p.y() / rho, 0.0) : Vec3(Vec3::UnitX());
}

/// The point of a round flat at the height @p z whose rim bears, spread evenly, counter-clockwise
/// seen from where @p side (1 or -1) of z is.
SupportingFace round_flat(double radius, double z, double side);

/// Numbers of places on a shape of revolution: those of its flats first.
inline constexpr std::int32_t kRimPoints = 6;
inline constexpr std::int32_t kHighPlace = 2 * kRimPoints;
inline constexpr std::int32_t kLowPlace = kHighPlace + 1;

}  // namespace scree
