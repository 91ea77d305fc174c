#include "scree/geometry/shapes/ball_cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scree/base/check.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {
namespace {

template <class Body>
BallCluster instead_of(const Body& body, std::span<const BallCluster::Ball> balls) {
  return cluster_of(balls, body.volume(), body.inertia_per_mass(), body.inscribed_radius());
}

void require_odd(int n, std::string_view body) {
  if (n > 0 && n % 2 == 1) return;
  throw InputError(fmt::format("a cluster of {} balls for a {}; allowed: odd numbers", n, body));
}

/// The @p k th of @p n values from -end to end; 0 in the middle to the last digit.
double spaced(int k, int n, double end) {
  return n == 1 ? 0.0 : end * static_cast<double>(2 * k - (n - 1)) / static_cast<double>(n - 1);
}

bool is_above_zero(double x) {
  return std::isfinite(x) && x > 0.0;
}

}  // namespace

BallCluster cluster_of(const Ellipsoid& body, int n) {
  require_odd(n, Ellipsoid::kType);
  const Vec3 axes = body.axes();
  Eigen::Index longest = 0;
  const double a = axes.maxCoeff(&longest);
  const double b = axes[(longest + 1) % 3];
  if (std::abs(b - axes[(longest + 2) % 3]) > 1e-12 * a) {
    throw InputError(
        fmt::format("a cluster for an ellipsoid with the semi-axes {}, {}, {} m; allowed: the two "
                    "shorter ones equal, since the balls' centres are on the longest axis",
                    axes.x(), axes.y(), axes.z()));
  }
  const double e2 = (a - b) * (a + b);
  std::vector<BallCluster::Ball> balls;
  for (int k = 0; k < n; ++k) {
    // The n balls of a ball are all that ball.
    const double x = spaced(k, n, e2 / a);
    const double share = e2 > 0.0 ? x * x / e2 : 0.0;
    balls.push_back({x * Vec3::Unit(longest), b * std::sqrt(1.0 - share)});
  }
  return instead_of(body, balls);
}

BallCluster cluster_of(const Capsule& body, int n) {
  require_odd(n, Capsule::kType);
  std::vector<BallCluster::Ball> balls;
  for (int k = 0; k < n; ++k) {
    balls.push_back({Vec3(0.0, 0.0, spaced(k, n, 0.5 * body.length)), body.radius});
  }
  return instead_of(body, balls);
}

BallCluster cluster_of(const Ring& body, int n) {
  if (n < 3) {
    throw InputError(fmt::format("a cluster of {} balls for a ring; allowed: from 3", n));
  }
  std::vector<BallCluster::Ball> balls;
  for (int k = 0; k < n; ++k) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    balls.push_back(
        {body.major_radius * Vec3(std::cos(angle), std::sin(angle), 0.0), body.minor_radius});
  }
  return instead_of(body, balls);
}

BallCluster cluster_of(std::span<const BallCluster::Ball> balls, double volume,
                       const Vec3& inertia_per_mass, double inscribed_radius) {
  if (balls.empty() || balls.size() > static_cast<std::size_t>(kMostBalls)) {
    throw InputError(
        fmt::format("a cluster of {} balls; allowed: 1 to {}", balls.size(), kMostBalls));
  }
  BallCluster cluster;
  for (const BallCluster::Ball& ball : balls) {
    if (!is_above_zero(ball.radius) || !ball.centre.allFinite()) {
      throw InputError(
          fmt::format("a ball of the radius {} m in a cluster; allowed: above 0, its "
                      "centre a number",
                      ball.radius));
    }
    cluster.balls.push_back(ball);
    cluster.bounding_radius = std::max(cluster.bounding_radius, ball.centre.norm() + ball.radius);
  }
  if (!is_above_zero(volume) || !is_above_zero(inscribed_radius) ||
      !is_above_zero(inertia_per_mass.minCoeff()) || !inertia_per_mass.allFinite()) {
    throw InputError("a cluster's volume, moments and inscribed radius; allowed: above 0");
  }
  cluster.volume = volume;
  cluster.inertia_per_mass = inertia_per_mass;
  cluster.inscribed_radius = inscribed_radius;
  return cluster;
}

SurfacePoint ScaledCluster::nearest(const Vec3& p) const {
  SurfacePoint best{};
  for (std::size_t i = 0; i < size(); ++i) {
    const Vec3 centre = scale * cluster.balls[i].centre;
    SurfacePoint s = Sphere{radius(i)}.nearest(p - centre);
    s.point += centre;
    if (i == 0 || s.distance < best.distance) best = s;
  }
  return best;
}

Box3 ScaledCluster::bounds(const Mat3& rotation) const {
  Box3 box;
  for (std::size_t i = 0; i < size(); ++i) {
    const Vec3 centre = rotation * (scale * cluster.balls[i].centre);
    const Vec3 reach = Vec3::Constant(radius(i));
    box.low = i == 0 ? Vec3(centre - reach) : Vec3(box.low.cwiseMin(centre - reach));
    box.high = i == 0 ? Vec3(centre + reach) : Vec3(box.high.cwiseMax(centre + reach));
  }
  return box;
}

}  // namespace scree
