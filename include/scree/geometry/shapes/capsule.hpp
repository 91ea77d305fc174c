#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>

#include "scree/geometry/shapes/shape.hpp"

namespace scree {

class Declaration;

/// Spherocylinder about the z axis of its frame: all that is within `radius` of a segment.
struct Capsule {
  static constexpr std::string_view kType = "capsule";
  static constexpr std::string_view kHelp = "cylinder about its z axis with half balls at its ends";

  double radius = 0.0;  ///< m
  double length = 0.0;  ///< length of the cylinder, without the half balls, m; 0: a ball

  void declare(Declaration& d);

  static std::optional<Capsule> from_half_extents(const Vec3& half) {
    if (half.z() < half.x()) return std::nullopt;
    return Capsule{half.x(), 2.0 * (half.z() - half.x())};
  }
  Capsule scaled(double factor) const { return {factor * radius, factor * length}; }
  Vec3 support(const Vec3& direction) const {
    return end(direction.z()) + radius * direction.stableNormalized();
  }
  SurfacePoint nearest(const Vec3& p) const {
    const Vec3 core(0.0, 0.0, std::clamp(p.z(), -0.5 * length, 0.5 * length));
    const Vec3 away = p - core;
    const double distance = away.norm();
    const Vec3 normal = distance > 0.0 ? Vec3(away / distance) : Vec3(Vec3::UnitX());
    return {core + radius * normal, normal, distance - radius};
  }
  Box3 bounds(const Mat3& rotation) const {
    const Vec3 reach = 0.5 * length * rotation.col(2).cwiseAbs() + Vec3::Constant(radius);
    return {-reach, reach};
  }
  double bounding_radius() const { return 0.5 * length + radius; }
  double inscribed_radius() const { return radius; }
  double rounding_radius() const { return radius; }
  double volume() const { return cylinder_volume() + balls_volume(); }
  Vec3 inertia_per_mass() const {
    const double share = cylinder_volume() / volume();
    const double r2 = radius * radius;
    const double axial = share * 0.5 * r2 + (1.0 - share) * 0.4 * r2;
    const double across =
        share * (length * length / 12.0 + 0.25 * r2) +
        (1.0 - share) * (0.4 * r2 + 0.25 * length * length + 0.375 * length * radius);
    return {across, across, axial};
  }

 private:
  /// The end of the segment on the side of @p z.
  Vec3 end(double z) const { return {0.0, 0.0, z < 0.0 ? -0.5 * length : 0.5 * length}; }
  double cylinder_volume() const { return std::numbers::pi * radius * radius * length; }
  double balls_volume() const { return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius; }
};

}  // namespace scree
