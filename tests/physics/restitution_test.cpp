// ranks: 1 2 4, mostly 2
/// Restitution: a ball bounces to e^2 of its height, what rests stays at rest whatever e is, and
/// bouncing makes no energy.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scree/base/parallel.hpp"
#include "scree/step/energies.hpp"
#include "support/simulate.hpp"

namespace scree::test::restitution_test {
namespace {

double energy(const Simulation& simulation) {
  const Energies e = energies(simulation.comm(), simulation.store(), simulation.config().gravity);
  return e.kinetic + e.potential;
}

/// Height of the highest grain of all ranks.
double top(const Simulation& simulation) {
  double z = -1e300;
  for (std::int32_t i = simulation.store().first_owned(); i < simulation.store().end_owned(); ++i) {
    z = std::max(z, simulation.store().position[i].z());
  }
  return max_over_ranks(simulation.comm(), z);
}

double fastest(const Simulation& simulation) {
  double speed = 0.0;
  for (std::int32_t i = simulation.store().first_owned(); i < simulation.store().end_owned(); ++i) {
    speed = std::max(speed, simulation.store().velocity[i].norm());
  }
  return max_over_ranks(simulation.comm(), speed);
}

constexpr double kRadius = 0.05;
constexpr double kFall = 0.5;

Simulation falling_ball(double e, double dt) {
  return simulation(fmt::format(R"(
time: {{dt: {}, end: 1}}
gravity: [0, 0, -10]
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0.3, restitution: {}}}]
bodies:
  ball:
    material: stone
    radii: {{type: list, values: [{}]}}
    place: {{type: points, positions: [[0, 0, {}]]}}
tools:
  floor: {{material: stone, shape: {{type: plane}}}}
solver: {{tolerance: 1e-10}}
)",
                                dt, e, kRadius, kRadius + kFall));
}

/// The height above the floor to which the ball comes back, over that from which it fell.
double rebound(double e, double dt) {
  Simulation ball = falling_ball(e, dt);
  const double start = energy(ball);
  double before = top(ball);
  bool rises = false;
  for (int i = 0; i < static_cast<int>(2.0 / dt); ++i) {
    ball.step();
    const double now = top(ball);
    EXPECT_LE(energy(ball), start * (1.0 + 1e-12));
    if (rises && now < before) return (before - kRadius) / kFall;
    rises = now > before || (rises && now == before);  // at the top of its flight
    before = now;
  }
  return 0.0;
}

TEST(Restitution, ABallComesBackToESquaredOfItsHeight) {
  for (const double e : {0.3, 0.7, 0.9, 1.0}) {
    const double coarse = rebound(e, 1e-3) - e * e;
    const double fine = rebound(e, 1.25e-4) - e * e;
    EXPECT_LT(std::abs(coarse), 0.01) << "e " << e;
    EXPECT_LT(std::abs(fine), 0.2 * 0.01) << "e " << e;
  }
}

/// Implicit drag brakes the approach within the step of the impact: it must not add to the parting.
TEST(Restitution, InAFluidABallPartsNoFasterThanNewtonsLaw) {
  for (const double viscosity : {1.0, 100.0, 10000.0}) {
    Simulation ball = simulation(fmt::format(R"(
time: {{dt: 0.01, end: 1}}
gravity: [0, 0, 0]
fluid: {{viscosity: {}}}
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0.3, restitution: 0.9}}]
bodies:
  ball:
    material: stone
    radii: {{type: list, values: [0.05]}}
    place: {{type: points, positions: [[0, 0, 0.0501]]}}
    velocity: [0, 0, -1]
tools:
  floor: {{material: stone, shape: {{type: plane}}}}
solver: {{tolerance: 1e-10}}
)",
                                             viscosity));
    ball.step();
    const double speed = fastest(ball);
    EXPECT_LE(speed, 0.9 * (1.0 + 1e-9)) << "viscosity " << viscosity;
    if (viscosity == 1.0) {
      EXPECT_GT(speed, 0.85);
    }
  }
}

TEST(Restitution, WithoutItABallStaysWhereItFell) {
  Simulation ball = falling_ball(0.0, 1e-3);
  run(ball, 600);
  EXPECT_LT(fastest(ball), 1e-9);
}

TEST(Restitution, BouncesEnd) {
  Simulation ball = falling_ball(0.5, 1e-3);
  run(ball, 1500);
  EXPECT_LT(fastest(ball), 1e-9);
  EXPECT_NEAR(top(ball), kRadius, 1e-6);
}

/// Balls one upon the other on a plate that may go up and down.
Simulation stack(double e, const std::string& motion) {
  std::string positions;
  for (int i = 0; i < 10; ++i) {
    positions += fmt::format("{}[0, 0, {}]", i ? ", " : "", kRadius * (2 * i + 1));
  }
  return simulation(fmt::format(R"(
time: {{dt: 1e-3, end: 1}}
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0.4, restitution: {}}}]
bodies:
  balls:
    material: stone
    radii: {{type: list, values: [{}]}}
    place: {{type: points, positions: [{}]}}
tools:
  floor: {{material: stone, shape: {{type: plane}}, motion: {}}}
solver: {{tolerance: 1e-10}}
)",
                                e, kRadius, positions, motion));
}

TEST(Restitution, AStackStaysAtRest) {
  for (const double e : {0.5, 1.0}) {
    Simulation balls = stack(e, "{type: fixed}");
    for (int i = 0; i < 200; ++i) {
      balls.step();
      ASSERT_LT(fastest(balls), 1e-6) << "e " << e << ", step " << i;
    }
    EXPECT_NEAR(top(balls), 19 * kRadius, 1e-6);
  }
}

TEST(Restitution, AStackOnAPlateThatIsLiftedFasterAndFasterStaysOnIt) {
  // At rest, then at 0.1, 0.3 and 0.6 m/s: these changes are no impacts.
  const std::string lift =
      "{type: table, times: [0, 0.01, 0.06, 0.11, 0.16], "
      "displacements: [[0, 0, 0], [0, 0, 0], [0, 0, 0.005], [0, 0, 0.02], [0, 0, 0.05]]}";
  Simulation balls = stack(0.9, lift);
  for (int i = 0; i < 150; ++i) {
    balls.step();
    const auto plate = balls.store().position[0].z();
    ASSERT_NEAR(top(balls), plate + 19 * kRadius, 1e-6) << "step " << i;
  }
}

/// A gas of balls in a box, without gravity.
Simulation gas(double e) {
  return simulation(fmt::format(R"(
time: {{dt: 1e-3, end: 1}}
gravity: [0, 0, 0]
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0, restitution: {}}}]
bodies:
  low:
    material: stone
    radii: {{type: uniform, min: 0.01, max: 0.02}}
    place: {{type: box, low: [0, 0, 0], high: [0.3, 0.3, 0.14], count: 120, seed: 1}}
    velocity: [1, 0.5, 1]
  high:
    material: stone
    radii: {{type: uniform, min: 0.01, max: 0.02}}
    place: {{type: box, low: [0, 0, 0.16], high: [0.3, 0.3, 0.3], count: 120, seed: 2}}
    velocity: [-0.5, 1, -1]
tools:
  floor: {{material: stone, shape: {{type: plane}}}}
  roof: {{material: stone, shape: {{type: plane}}, position: [0, 0, 0.3], normal: [0, 0, -1]}}
  left: {{material: stone, shape: {{type: plane}}, normal: [1, 0, 0]}}
  right: {{material: stone, shape: {{type: plane}}, position: [0.3, 0, 0], normal: [-1, 0, 0]}}
  front: {{material: stone, shape: {{type: plane}}, normal: [0, 1, 0]}}
  back: {{material: stone, shape: {{type: plane}}, position: [0, 0.3, 0], normal: [0, -1, 0]}}
solver: {{tolerance: 1e-8}}
)",
                                e));
}

TEST(Restitution, BallsInABoxGainNoEnergy) {
  double left_before = 0.0;
  for (const double e : {0.5, 1.0}) {
    Simulation balls = gas(e);
    const double start = energy(balls);
    double before = start;
    for (int i = 0; i < 200; ++i) {
      balls.step();
      const double now = energy(balls);
      ASSERT_LE(now, before + 1e-6 * start) << "e " << e << ", step " << i;
      before = now;
    }
    EXPECT_GT(before / start, left_before) << "e " << e;
    left_before = before / start;
  }
  EXPECT_GT(left_before, 0.7) << "of elastic balls most energy stays";
}

}  // namespace
}  // namespace scree::test::restitution_test
