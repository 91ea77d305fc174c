#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>

#include "scree/geometry/shapes/shape.hpp"

namespace scree {

class Declaration;

/// Torus about the z axis of its frame: all that is within `minor_radius` of the circle of
/// `major_radius` in the plane z = 0. Not convex: it has a hole, and no support function.
struct Ring {
  static constexpr std::string_view kType = "ring";
  static constexpr std::string_view kHelp = "torus about its z axis";

  double major_radius = 0.0;  ///< of the circle, m
  double minor_radius = 0.0;  ///< of the tube around it, m

  void declare(Declaration& d);

  static std::optional<Ring> from_half_extents(const Vec3& half) {
    if (half.x() <= 2.0 * half.z()) return std::nullopt;
    return Ring{half.x() - half.z(), half.z()};
  }
  Ring scaled(double factor) const { return {factor * major_radius, factor * minor_radius}; }
  /// Where several points are equally near it gives that towards x (on the axis) or towards z (on
  /// the circle).
  SurfacePoint nearest(const Vec3& p) const {
    const double rho = p.head<2>().norm();
    const Vec3 side = rho > 0.0 ? Vec3(p.x() / rho, p.y() / rho, 0.0) : Vec3(Vec3::UnitX());
    const Vec3 on_circle = major_radius * side;
    const Vec3 away = p - on_circle;
    const double distance = away.norm();
    const Vec3 normal = distance > 0.0 ? Vec3(away / distance) : Vec3(Vec3::UnitZ());
    return {on_circle + minor_radius * normal, normal, distance - minor_radius};
  }
  Box3 bounds(const Mat3& rotation) const {
    const Vec3 reach =
        major_radius * rotation.leftCols<2>().rowwise().norm() + Vec3::Constant(minor_radius);
    return {-reach, reach};
  }
  double bounding_radius() const { return major_radius + minor_radius; }
  /// That of the tube: no ball about the centre is inside.
  double inscribed_radius() const { return minor_radius; }
  /// Pappus: the tube's section times the way of its centre.
  double volume() const {
    return 2.0 * std::numbers::pi * std::numbers::pi * major_radius * minor_radius * minor_radius;
  }
  Vec3 inertia_per_mass() const {
    const double axial = major_radius * major_radius + 0.75 * minor_radius * minor_radius;
    const double across = 0.5 * axial + 0.25 * minor_radius * minor_radius;
    return {across, across, axial};
  }
};

}  // namespace scree
