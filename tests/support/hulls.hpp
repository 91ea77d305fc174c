#pragma once

/// Polytopes with known properties.

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "scree/base/math.hpp"

namespace scree::test {

/// Corners of the regular dodecahedron with the edge sqrt(5) - 1.
inline std::vector<Vec3> dodecahedron() {
  const double phi = std::numbers::phi;
  std::vector<Vec3> points;
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-1.0, 1.0}) {
      for (const double z : {-1.0, 1.0}) points.emplace_back(x, y, z);
      points.emplace_back(0.0, x * phi, y / phi);
      points.emplace_back(x / phi, 0.0, y * phi);
      points.emplace_back(x * phi, y / phi, 0.0);
    }
  }
  return points;
}

/// Corners of the regular icosahedron with the edge 2.
inline std::vector<Vec3> icosahedron() {
  const double phi = std::numbers::phi;
  std::vector<Vec3> points;
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-phi, phi}) {
      points.emplace_back(0.0, x, y);
      points.emplace_back(x, y, 0.0);
      points.emplace_back(y, 0.0, x);
    }
  }
  return points;
}

/// A prism over a regular polygon with @p n corners on the unit circle, -height/2 <= z <= height/2.
inline std::vector<Vec3> prism(int n, double height) {
  std::vector<Vec3> points;
  for (int k = 0; k < n; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / n;
    for (const double z : {-0.5 * height, 0.5 * height}) {
      points.emplace_back(std::cos(angle), std::sin(angle), z);
    }
  }
  return points;
}

/// @p n points on an ellipsoid with the given semi-axes.
inline std::vector<Vec3> pebble(int n, const Vec3& semi_axes, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<Vec3> points;
  for (int k = 0; k < n; ++k) {
    const Vec3 direction = Vec3(normal(random), normal(random), normal(random)).normalized();
    points.push_back(semi_axes.cwiseProduct(direction));
  }
  return points;
}

}  // namespace scree::test
