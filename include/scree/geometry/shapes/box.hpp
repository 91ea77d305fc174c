#pragma once

#include <array>
#include <string_view>

#include "scree/geometry/shapes/shape.hpp"

namespace scree {

class Declaration;

/// Cuboid about the origin of its frame, edges along the axes.
struct Box {
  static constexpr std::string_view kType = "box";
  static constexpr std::string_view kHelp = "cuboid about its centre, edges along its axes";

  std::array<double, 3> half_size{};  ///< half the edges, m

  void declare(Declaration& d);

  static Box from_half_extents(const Vec3& half) { return {{half.x(), half.y(), half.z()}}; }
  Box scaled(double factor) const {
    return {{factor * half_size[0], factor * half_size[1], factor * half_size[2]}};
  }
  Vec3 half() const { return {half_size[0], half_size[1], half_size[2]}; }
  SurfacePoint nearest(const Vec3& p) const;
  Box3 bounds(const Mat3& rotation) const {
    const Vec3 reach = rotation.cwiseAbs() * half();
    return {-reach, reach};
  }
  Vec3 support(const Vec3& direction) const {
    return half().cwiseProduct((direction.array() < 0.0).select(-Vec3::Ones(), Vec3::Ones()));
  }
  double bounding_radius() const { return half().norm(); }
  double inscribed_radius() const { return half().minCoeff(); }
  double rounding_radius() const { return 0.0; }
  double volume() const { return 8.0 * half_size[0] * half_size[1] * half_size[2]; }
  Vec3 inertia_per_mass() const {
    const Vec3 s = half().cwiseAbs2() / 3.0;
    return {s.y() + s.z(), s.x() + s.z(), s.x() + s.y()};
  }
};

}  // namespace scree
