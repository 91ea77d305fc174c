#pragma once

/// Beds whose pairs have several rows that are nearly the same, as constraints that are found
/// within a step are.

#include <random>

#include "support/problems.hpp"

namespace scree::test {

/// @p side^3 grains that touch their neighbours with tilted arms, without friction, and fall on a
/// floor; each pair has @p rows rows, whose normals and arms differ by @p apart.
inline ProblemBuilder bed_of_repeated_rows(int side, int rows, double apart) {
  constexpr double kRadius = 0.005;
  ProblemBuilder builder;
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  const auto vector = [&](double size) {
    return Vec3(size * Vec3(normal(random), normal(random), normal(random)));
  };
  for (int grain = 0; grain < side * side * side; ++grain) {
    Vec6 velocity;
    velocity << vector(0.05) - Vec3(0.0, 0.0, 0.05), vector(1.0);
    builder.add_ball(1e-3, kRadius, velocity);
  }
  std::mt19937 of_rows(6);
  const auto touch = [&](int a, int b, const Vec3& along) {
    const Vec3 n = (along + vector(0.2)).normalized();
    const Vec3 at = vector(0.3 * kRadius);
    for (int k = 0; k < rows; ++k) {
      const auto away = [&] {
        return Vec3(apart * (k == 0 ? 0.0 : 1.0) *
                    Vec3(normal(of_rows), normal(of_rows), normal(of_rows)));
      };
      const Vec3 point = at + kRadius * away();
      builder.add_contact(a, b, (n + away()).normalized(), point - kRadius * along,
                          point + kRadius * along, 0.0, 0.0, 1);
    }
  };
  const auto number = [side](int x, int y, int z) { return (z * side + y) * side + x; };
  for (int z = 0; z < side; ++z) {
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const int here = number(x, y, z);
        touch(here, z > 0 ? number(x, y, z - 1) : -1, Vec3::UnitZ());
        if (x > 0) touch(here, number(x - 1, y, z), Vec3::UnitX());
        if (y > 0) touch(here, number(x, y - 1, z), Vec3::UnitY());
      }
    }
  }
  return builder;
}

/// @p side^2 grains that move in a plane, grow, and push their neighbours away. Each pair has @p
/// rows rows that differ by @p apart; those of the last column of grains have one.
inline ProblemBuilder growing_colony(int side, int rows, double apart) {
  constexpr double kRadius = 0.5;
  constexpr unsigned kOutOfPlane = 0x1CU;
  ProblemBuilder builder;
  for (int grain = 0; grain < side * side; ++grain) {
    builder.add_ball(1.0, kRadius, Vec6::Zero(), kOutOfPlane);
  }
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  const auto in_plane = [&](double size) {
    return Vec3(size * normal(random), size * normal(random), 0.0);
  };
  const auto push = [&](int a, int b, int n_rows, const Vec3& along) {
    const Vec3 n = (along + in_plane(0.2)).normalized();
    const Vec3 at = in_plane(0.3 * kRadius);
    const double growth = 1.0 + 0.3 * normal(random);
    for (int k = 0; k < n_rows; ++k) {
      const double away = k == 0 ? 0.0 : apart;
      const Vec3 point = at + in_plane(kRadius * away);
      const Vec3 turned = (n + in_plane(away)).normalized();
      builder.add_contact(a, b, turned, point - kRadius * along, point + kRadius * along,
                          -growth * (1.0 + away * normal(random)), 0.0, 1);
    }
  };
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const int here = y * side + x;
      if (x > 0) push(here, here - 1, rows, Vec3::UnitX());
      if (y > 0) push(here, here - side, x + 1 < side ? rows : 1, Vec3::UnitY());
    }
  }
  return builder;
}

}  // namespace scree::test
