#pragma once

#include <array>
#include <numbers>
#include <string_view>

#include "scree/geometry/shapes/shape.hpp"

namespace scree {

class Declaration;

/// Ellipsoid about the origin of its frame, its semi-axes a along the frame's axes:
/// sum_i (x_i / a_i)^2 <= 1. Its support function is h(n) = sqrt(sum_i a_i^2 n_i^2).
struct Ellipsoid {
  static constexpr std::string_view kType = "ellipsoid";
  static constexpr bool kIsSmooth = true;
  static constexpr std::string_view kHelp = "ellipsoid about its centre, semi-axes along its axes";
  /// Longest over shortest semi-axis stay below this: beyond, the curvature at the tips (the square
  /// of the ratio apart from that at the waist) leaves rounding no digits for a normal.
  static constexpr double kLargestRatio = 1000.0;

  std::array<double, 3> semi_axes{};  ///< m

  void declare(Declaration& d);

  static Ellipsoid from_half_extents(const Vec3& half) { return {{half.x(), half.y(), half.z()}}; }
  Ellipsoid scaled(double factor) const {
    return {{factor * semi_axes[0], factor * semi_axes[1], factor * semi_axes[2]}};
  }
  Vec3 axes() const { return {semi_axes[0], semi_axes[1], semi_axes[2]}; }
  double longest() const { return axes().maxCoeff(); }
  double shortest() const { return axes().minCoeff(); }

  /// The surface point farthest along @p direction (any length but zero), body frame.
  Vec3 support(const Vec3& direction) const {
    const Vec3 stretched = axes().cwiseProduct(direction);
    return axes().cwiseProduct(stretched) / stretched.norm();
  }
  SurfacePoint nearest(const Vec3& p) const;
  Box3 bounds(const Mat3& rotation) const {
    const Vec3 reach = (rotation * axes().asDiagonal()).rowwise().norm();
    return {-reach, reach};
  }
  double bounding_radius() const { return longest(); }
  double inscribed_radius() const { return shortest(); }
  /// Leaves a core of some size of what is nearly a ball.
  double rounding_radius() const { return std::min(rolling_radius(), 0.9 * shortest()); }
  double volume() const {
    return 4.0 / 3.0 * std::numbers::pi * semi_axes[0] * semi_axes[1] * semi_axes[2];
  }
  Vec3 inertia_per_mass() const {
    const Vec3 s = 0.2 * axes().cwiseAbs2();
    return {s.y() + s.z(), s.x() + s.z(), s.x() + s.y()};
  }
  /// Radius of the largest ball that rolls everywhere on the inside, m: the least radius of
  /// curvature, c^2 / a of the shortest and the longest semi-axis.
  double rolling_radius() const { return shortest() * shortest() / longest(); }
};

}  // namespace scree
