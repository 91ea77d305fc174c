#pragma once

/// The gap of two convex shapes found slowly: the support functions on thousands of directions, the
/// best of them refined by a compass search. Random ellipsoids and poses beside it.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "scree/geometry/pairs/manifold.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"

namespace scree::test {

using Random = std::mt19937_64;

inline double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}
inline Vec3 random_direction(Random& random) {
  std::normal_distribution<double> normal;
  return Vec3(normal(random), normal(random), normal(random)).normalized();
}
inline Quat random_turn(Random& random) {
  return rotation_by(uniform(random, 0.0, 3.1) * random_direction(random));
}

/// A needle of 1:1:20, a disc of 20:20:1, a ball to 1e-9, a ball, or any with axes from 0.3 to 1.
inline Ellipsoid random_ellipsoid(Random& random) {
  switch (std::uniform_int_distribution<int>(0, 6)(random)) {
    case 0:
      return {{0.05, 0.05, 1.0}};
    case 1:
      return {{1.0, 1.0, 0.05}};
    case 2:
      return {{0.4, 0.4 * (1.0 + 1e-9), 0.4 * (1.0 - 1e-9)}};
    case 3:
      return {{0.4, 0.4, 0.4}};
    default:
      return {{uniform(random, 0.3, 1.0), uniform(random, 0.3, 1.0), uniform(random, 0.3, 1.0)}};
  }
}

/// Directions spread evenly over the sphere (Fibonacci's spiral).
inline std::vector<Vec3> directions(int n) {
  std::vector<Vec3> all;
  for (int i = 0; i < n; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / n;
    const double angle = 2.0 * std::numbers::pi * i / std::numbers::phi;
    const double r = std::sqrt(1.0 - z * z);
    all.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
  }
  return all;
}

/// Climbs from @p n by trying steps around it, halved when none helps. It creeps along a ridge (of
/// a polytope) and is then left below the top.
template <class Function>
double refined(const Function& g, Vec3 n, double step, int max_steps = 300) {
  double best = g(n);
  for (int k = 0; k < max_steps && step > 1e-9; ++k) {
    const Vec3 t1 = n.unitOrthogonal();
    const Vec3 t2 = n.cross(t1);
    bool better = false;
    for (int side = 0; side < 8 && !better; ++side) {
      const double angle = std::numbers::pi * side / 4.0;
      const Vec3 next = (n + step * (std::cos(angle) * t1 + std::sin(angle) * t2)).normalized();
      const double value = g(next);
      if (value <= best) continue;
      best = value;
      n = next;
      better = true;
    }
    step *= better ? 2.0 : 0.5;
  }
  return best;
}

/// The largest g on the sphere: the best of @p sampled, the best @p n_refined of them refined.
template <class Function>
double largest_on_sphere(const Function& g, const std::vector<Vec3>& sampled,
                         std::size_t n_refined) {
  std::vector<std::pair<double, Vec3>> all;
  for (const Vec3& n : sampled) all.emplace_back(g(n), n);
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(n_refined);
  std::partial_sort(all.begin(), end, all.end(),
                    [](const auto& x, const auto& y) { return x.first > y.first; });
  double best = all.front().first;
  for (auto start = all.begin(); start != end; ++start) {
    best = std::max(best, refined(g, start->second, 0.05));
  }
  return best;
}

/// Support function of an ellipsoid about its centre, world frame.
inline double reach(const Ellipsoid& e, const Pose& pose, const Vec3& n) {
  return e.axes().cwiseProduct(pose.orientation.conjugate() * n).norm();
}

/// 0 where @p x is on the surface of @p e (its level sum (x_i/a_i)^2, minus 1).
inline double off_surface(const Ellipsoid& e, const Pose& pose, const Vec3& x) {
  return pose.to_body(x).cwiseQuotient(e.axes()).squaredNorm() - 1.0;
}

}  // namespace scree::test
