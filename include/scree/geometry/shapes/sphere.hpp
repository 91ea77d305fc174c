#pragma once

#include <array>
#include <numbers>
#include <string_view>

#include "scree/geometry/shapes/shape.hpp"

namespace scree {

class Declaration;

/// Ball about the origin of its frame.
struct Sphere {
  static constexpr std::string_view kType = "sphere";
  static constexpr bool kIsSmooth = true;
  static constexpr std::string_view kHelp = "ball about its centre";

  double radius = 0.0;  ///< m

  void declare(Declaration& d);

  Sphere scaled(double factor) const { return {factor * radius}; }
  SurfacePoint nearest(const Vec3& p) const {
    const double distance = p.norm();
    const Vec3 normal = distance > 0.0 ? Vec3(p / distance) : Vec3(Vec3::UnitZ());
    return {radius * normal, normal, distance - radius};
  }
  Box3 bounds(const Mat3& /*rotation*/) const {
    return {Vec3::Constant(-radius), Vec3::Constant(radius)};
  }
  Vec3 support(const Vec3& direction) const { return radius * direction.stableNormalized(); }
  double bounding_radius() const { return radius; }
  double inscribed_radius() const { return radius; }
  double rounding_radius() const { return radius; }
  double volume() const { return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius; }
  Vec3 inertia_per_mass() const { return Vec3::Constant(0.4 * radius * radius); }
};

}  // namespace scree
