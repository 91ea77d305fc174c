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

/// Cylinder about the z axis of its frame, from -length/2 to length/2, with flat ends.
struct Cylinder {
  static constexpr std::string_view kType = "cylinder";
  static constexpr std::string_view kHelp = "cylinder about its z axis, with flat ends";

  double radius = 0.0;  ///< m
  double length = 0.0;  ///< from end to end, m

  void declare(Declaration& d);

  static std::optional<Cylinder> from_half_extents(const Vec3& half) {
    return Cylinder{half.x(), 2.0 * half.z()};
  }
  Cylinder scaled(double factor) const { return {factor * radius, factor * length}; }
  Vec3 support(const Vec3& direction) const {
    const double across = direction.head<2>().norm();
    const double out = across > 0.0 ? radius / across : 0.0;
    return {out * direction.x(), out * direction.y(), std::copysign(0.5 * length, direction.z())};
  }
  SupportingFace supporting_face(const Vec3& direction, double tolerance) const;
  SurfacePoint nearest(const Vec3& p) const;
  Box3 bounds(const Mat3& rotation) const {
    const Vec3 reach = radius * rotation.leftCols<2>().rowwise().norm() +
                       0.5 * length * rotation.col(2).cwiseAbs();
    return {-reach, reach};
  }
  double bounding_radius() const { return std::hypot(radius, 0.5 * length); }
  double inscribed_radius() const { return std::min(radius, 0.5 * length); }
  double rounding_radius() const { return 0.0; }
  double volume() const { return std::numbers::pi * radius * radius * length; }
  Vec3 inertia_per_mass() const {
    const double across = 0.25 * radius * radius + length * length / 12.0;
    return {across, across, 0.5 * radius * radius};
  }
};

}  // namespace scree
