// ranks: 1 2 3 4, mostly 3
/// A ball on a slope, exact Coulomb friction. With tan(a) <= 3.5 mu it rolls: m a = m g sin(a) - F
/// and (2/5) m r^2 alpha = F r with a = r alpha give a = 5/7 g sin(a) and F = 2/7 m g sin(a) <= mu
/// m g cos(a). Beyond it slides: a = g (sin(a) - mu cos(a)), alpha = 5/2 mu g cos(a) / r. Both are
/// constant, so implicit Euler gives the velocities exactly.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "scree/base/parallel.hpp"
#include "support/simulate.hpp"

namespace scree::test::slope_test {
namespace {

constexpr double kGravity = 9.81;
constexpr double kRadius = 0.05;
constexpr double kMu = 0.3;

Simulation slope(double angle) {
  const double s = std::sin(angle);
  const double c = std::cos(angle);
  return simulation(fmt::format(R"(
time: {{dt: 1e-3, end: 1}}
gravity: [{}, 0, {}]
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: {}}}]
bodies:
  ball:
    material: stone
    radii: {{type: list, values: [{}]}}
    place: {{type: points, positions: [[0, 0, {}]]}}
tools:
  floor: {{material: stone, shape: {{type: plane}}}}
solver: {{tolerance: 1e-12}}
)",
                                kGravity * s, -kGravity * c, kMu, kRadius, kRadius));
}

struct Motion {
  double speed;
  double spin;
};

/// The motion of the one ball, known on every rank.
Motion motion(const Simulation& simulation) {
  const Store& store = simulation.store();
  std::vector<double> sums{0.0, 0.0};
  if (store.n_owned == 1) {
    const std::size_t slot = store.first_owned();
    sums = {store.velocity[slot].x(), store.angular_velocity[slot].y()};
  }
  sum_over_ranks(simulation.comm(), sums);
  return {sums[0], sums[1]};
}

class Slope : public ::testing::TestWithParam<double> {};  // tan(a) / (3.5 mu)

TEST_P(Slope, RollsOrSlidesAsTheClosedFormSays) {
  const double angle = std::atan(GetParam() * 3.5 * kMu);
  Simulation ball = slope(angle);
  run(ball, 200);
  const double t = ball.time();
  const Motion end = motion(ball);
  if (GetParam() <= 1.0) {
    EXPECT_NEAR(end.speed, 5.0 / 7.0 * kGravity * std::sin(angle) * t, 1e-8);
    EXPECT_NEAR(end.spin * kRadius, end.speed, 1e-8);
  } else {
    EXPECT_NEAR(end.speed, kGravity * (std::sin(angle) - kMu * std::cos(angle)) * t, 1e-8);
    EXPECT_NEAR(end.spin * kRadius, 2.5 * kMu * kGravity * std::cos(angle) * t, 1e-8);
  }
}

INSTANTIATE_TEST_SUITE_P(Angles, Slope, ::testing::Values(0.3, 0.95, 1.05, 1.6));

}  // namespace
}  // namespace scree::test::slope_test
