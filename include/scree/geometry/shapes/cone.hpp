#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>

#include "scree/geometry/shapes/shape.hpp"
#include "scree/geometry/shapes/supporting_face.hpp"

namespace scree {

class Declaration;

/// Cone about the z axis of its frame, the tip up. The origin is the centre of mass: the flat base
/// is at z = -length/4, the tip at 3 length/4.
struct Cone {
  static constexpr std::string_view kType = "cone";
  static constexpr std::string_view kHelp =
      "cone about its z axis with a flat base, the tip up; its place is the centre of mass, a "
      "quarter of the length above the base";

  double radius = 0.0;  ///< of the base, m
  double length = 0.0;  ///< from the base to the tip, m

  void declare(Declaration& d);

  static std::optional<Cone> from_half_extents(const Vec3& half) {
    return Cone{half.x(), 2.0 * half.z()};
  }
  Cone scaled(double factor) const { return {factor * radius, factor * length}; }
  double base() const { return -0.25 * length; }               ///< z of it, m
  double tip() const { return 0.75 * length; }                 ///< z of it, m
  double slant() const { return std::hypot(radius, length); }  ///< from the rim to the tip, m
  Vec3 support(const Vec3& direction) const {
    const double across = direction.head<2>().norm();
    if (length * direction.z() > radius * across) return {0.0, 0.0, tip()};
    const double out = across > 0.0 ? radius / across : 0.0;
    return {out * direction.x(), out * direction.y(), base()};
  }
  SupportingFace supporting_face(const Vec3& direction, double tolerance) const;
  SurfacePoint nearest(const Vec3& p) const;
  Box3 bounds(const Mat3& rotation) const;
  double bounding_radius() const { return std::max(tip(), std::hypot(radius, base())); }
  double inscribed_radius() const { return std::min(-base(), tip() * radius / slant()); }
  double rounding_radius() const { return 0.0; }
  double volume() const { return std::numbers::pi * radius * radius * length / 3.0; }
  Vec3 inertia_per_mass() const {
    const double across = 0.15 * radius * radius + 0.0375 * length * length;
    return {across, across, 0.3 * radius * radius};
  }
};

}  // namespace scree
