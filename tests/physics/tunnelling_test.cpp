// ranks: 1 2 3 4, mostly 2
/// A ball that flies many radii a step must not pass a thin wall, nor another ball in its way.

#include <gtest/gtest.h>

#include <cmath>

#include "scree/base/parallel.hpp"
#include "support/simulate.hpp"

namespace scree::test::tunnelling_test {
namespace {

TEST(Tunnelling, AFastBallStopsAtAThinWall) {
  Simulation shot = simulation(R"(
time: {dt: 1e-2, end: 1}
gravity: [0, 0, 0]
solver: {tolerance: 1e-12}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.3}]
bodies:
  ball:
    material: stone
    radii: {type: list, values: [0.01]}
    place: {type: points, positions: [[0.013, 0, 0]]}
    velocity: [60, 0, 0]
tools:
  wall: {material: stone, shape: {type: box, size: [0.004, 1, 1]}, position: [2.0, 0, 0]}
)");
  run(shot, 20);
  double x = -1e300;
  if (shot.store().n_owned == 1) {
    x = shot.store().position[shot.store().first_owned()].x();
  }
  x = max_over_ranks(MPI_COMM_WORLD, x);
  EXPECT_NEAR(x, 2.0 - 0.002 - 0.01, 1e-8);
}

TEST(Tunnelling, AFastBallDoesNotPassThroughAnother) {
  Simulation shot = simulation(R"(
time: {dt: 1e-2, end: 1}
gravity: [0, 0, 0]
solver: {tolerance: 1e-12}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0}]
bodies:
  bullet:
    material: stone
    radii: {type: list, values: [0.01]}
    place: {type: points, positions: [[0.0, 0, 0]]}
    velocity: [30, 0, 0]
  target:
    material: stone
    radii: {type: list, values: [0.01]}
    place: {type: points, positions: [[1.0, 0, 0]]}
)");
  run(shot, 10);
  // Inelastic and central: both go on at half the speed, the target ahead.
  const Store& store = shot.store();
  std::vector<double> x(2, 0.0);
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    x.at(store.group[i]) = store.position[i].x();
    EXPECT_NEAR(store.velocity[i].x(), 15.0, 1e-8);
  }
  sum_over_ranks(MPI_COMM_WORLD, x);
  EXPECT_GE(x[1] - x[0], 0.02 - 1e-8);
}

/// A ball of 10 mm that flies from the origin, without gravity, in steps of @p dt, at @p tools.
std::string flight(const Vec3& velocity, double dt, const std::string& tools, double mu = 0.3) {
  return fmt::format(R"(
time: {{dt: {0}, end: {1}}}
gravity: [0, 0, 0]
solver: {{tolerance: 1e-12}}
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: {2}}}]
bodies:
  ball:
    material: stone
    radii: {{type: list, values: [0.01]}}
    place: {{type: points, positions: [[0, 0, 0]]}}
    velocity: [{3}, {4}, {5}]
tools: {{{6}}}
)",
                     dt, 1000 * dt, mu, velocity.x(), velocity.y(), velocity.z(), tools);
}

/// Of the only grain, on all ranks.
Vec3 of_grain(const Simulation& simulation, const std::vector<Vec3>& field) {
  std::vector<double> x(3, 0.0);
  const Store& store = simulation.store();
  if (store.n_owned == 1) {
    const Vec3& mine = field[store.first_owned()];
    x.assign(mine.begin(), mine.end());
  }
  sum_over_ranks(MPI_COMM_WORLD, x);
  return Vec3(x.data());
}

constexpr const char* kPlate =
    "plate: {material: stone, shape: {type: box, size: [0.001, 1, 1]}, position: [0.7, 0, 0]}";
constexpr const char* kPlane =
    "wall: {material: stone, shape: {type: plane}, position: [0.7, 0, 0], normal: [-1, 0, 0]}";

// Where it stops: to rounding, and what the tolerance leaves of the speed for the steps after.
TEST(Tunnelling, NoSpeedAndNoStepTakesABallThroughAWall) {
  for (const double speed : {1.0, 1e2, 1e4, 1e6}) {
    for (const double dt : {1e-4, 1e-2, 0.1, 1.0}) {
      SCOPED_TRACE(fmt::format("{} m/s, {} s", speed, dt));
      if (speed * dt < 1e-3) continue;  // no more than a thousand steps
      for (const auto& [wall, stop] : {std::pair{kPlate, 0.6895}, std::pair{kPlane, 0.69}}) {
        Simulation shot = simulation(flight(Vec3(speed, 0, 0), dt, wall));
        run(shot, static_cast<std::int64_t>(std::ceil(1.0 / (speed * dt))) + 1);
        EXPECT_NEAR(of_grain(shot, shot.store().position).x(), stop, 1e-12 + 4e-12 * speed * dt);
        EXPECT_NEAR(of_grain(shot, shot.store().velocity).x(), 0.0, 1e-6 * speed);
      }
    }
  }
}

// An inelastic impact with friction enough to stick leaves a ball that rolls: v_t = 5/7 of what it
// was, w r = v_t. To the solver's tolerance.
TEST(Tunnelling, AFastBallGetsTheSpinOfItsSurface) {
  for (const double speed : {1.0, 100.0, 1e4}) {
    SCOPED_TRACE(fmt::format("{} m/s", speed));
    Simulation shot = simulation(flight(Vec3(speed, 0.5 * speed, 0), 1e-2, kPlane, 2.0));
    run(shot, static_cast<std::int64_t>(std::ceil(100.0 / speed)) + 1);
    const Vec3 v = of_grain(shot, shot.store().velocity);
    const Vec3 w = of_grain(shot, shot.store().angular_velocity);
    EXPECT_NEAR(v.y() / speed, 0.5 * 5.0 / 7.0, 1e-9);
    EXPECT_NEAR(std::abs(w.z()) * 0.01 / speed, 0.5 * 5.0 / 7.0, 1e-9);
    EXPECT_NEAR(v.x() / speed, 0.0, 1e-9);
  }
}

// It has no contact that bears anything: not deflected at all.
TEST(Tunnelling, ABallThatMissesAnEdgeByARadiusIsNotDeflected) {
  const std::string plate =
      "plate: {material: stone, shape: {type: box, size: [0.001, 1, 1]}, position: [0.7, 0.52, 0]}";
  for (const double speed : {1.0, 3.0, 30.0, 1e3, 1e5}) {
    for (const double dt : {1e-3, 5e-3, 1e-2, 0.1}) {
      SCOPED_TRACE(fmt::format("{} m/s, {} s", speed, dt));
      if (speed * dt < 5e-3) continue;
      Simulation shot = simulation(flight(Vec3(speed, 0, 0), dt, plate));
      run(shot, static_cast<std::int64_t>(std::ceil(1.5 / (speed * dt))));
      const Vec3 v = of_grain(shot, shot.store().velocity);
      EXPECT_EQ(v.x(), speed);
      EXPECT_EQ(v.y(), 0.0);
    }
  }
}

TEST(Tunnelling, ABallThatMissesAnotherByARadiusDoesNotTouchIt) {
  for (const double speed : {1.0, 3.0, 30.0, 1e3}) {
    for (const double dt : {1e-3, 5e-3, 1e-2, 0.1}) {
      SCOPED_TRACE(fmt::format("{} m/s, {} s", speed, dt));
      if (speed * dt < 5e-3) continue;
      Simulation shot = simulation(fmt::format(R"(
time: {{dt: {0}, end: {1}}}
gravity: [0, 0, 0]
solver: {{tolerance: 1e-12}}
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0.3}}]
bodies:
  bullet:
    material: stone
    radii: {{type: list, values: [0.01]}}
    place: {{type: points, positions: [[0, 0, 0]]}}
    velocity: [{2}, 0, 0]
  other:
    material: stone
    radii: {{type: list, values: [0.01]}}
    place: {{type: points, positions: [[0.7, 0.03, 0]]}}
)",
                                               dt, 1000 * dt, speed));
      run(shot, static_cast<std::int64_t>(std::ceil(1.5 / (speed * dt))));
      const Store& store = shot.store();
      for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
        EXPECT_EQ(store.velocity[i], Vec3(store.group[i] == 0 ? speed : 0.0, 0, 0));
      }
    }
  }
}

// The wall next to it is behind it; the one ahead is another place of the same drum. Along the wall
// it goes by chords of at most a radius, whose overlap is undone at the speed of recovery only.
TEST(Tunnelling, AFastBallStaysInADrum) {
  constexpr double kChord = 0.01 * 0.01 / (2.0 * 0.14);  // m
  const std::string drum =
      "drum: {material: stone, shape: {type: hollow_cylinder, radius: 0.15, length: 1}}";
  for (const double speed : {10.0, 1e3, 1e5}) {
    SCOPED_TRACE(fmt::format("{} m/s", speed));
    std::string yaml = flight(Vec3(speed, 0.1 * speed, 0), 1e-2, drum);
    yaml.replace(yaml.find("[[0, 0, 0]]"), 11, "[[-0.1399, 0, 0]]");
    Simulation shot = simulation(yaml);
    for (int k = 1; k <= 20; ++k) {
      shot.step();
      EXPECT_LT(of_grain(shot, shot.store().position).head<2>().norm(), 0.14 + k * kChord);
    }
  }
}

// Three quarters of half a turn in a step, over a ball that lies a quarter of a turn ahead: pushed,
// it is never behind the blade, whose thickness is a tenth of its own.
TEST(Tunnelling, ABladeThatTurnsFastTakesABallAlong) {
  Simulation shot = simulation(R"(
time: {dt: 1e-2, end: 1}
gravity: [0, 0, 0]
solver: {tolerance: 1e-10}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0}]
bodies:
  ball:
    material: stone
    radii: {type: list, values: [0.01]}
    place: {type: points, positions: [[0, 0.1, 0]]}
tools:
  blade:
    material: stone
    shape: {type: box, size: [0.4, 0.002, 0.4]}
    motion: {type: velocity, angular_velocity: [0, 0, 235.6]}
)");
  run(shot, 1);
  const Vec3 v = of_grain(shot, shot.store().velocity);
  EXPECT_LT(v.x(), -0.5 * 235.6 * 0.1);  // pushed on the way of the blade's end
}

// With restitution 1 a heavy ball throws a light one ahead at twice its speed: it must not pass
// what stands close behind it, nor the plate behind that.
TEST(Tunnelling, WhatAnImpactSetsInMotionPassesNothing) {
  for (const double speed : {1.0, 5.0, 50.0, 1e4}) {
    SCOPED_TRACE(fmt::format("{} m/s", speed));
    Simulation shot = simulation(fmt::format(R"(
time: {{dt: 1e-2, end: 1}}
gravity: [0, 0, 0]
solver: {{tolerance: 1e-10}}
materials: {{lead: {{density: 1e6}}, stone: {{density: 2600}}}}
friction:
  - {{between: [lead, stone], mu: 0, restitution: 1}}
  - {{between: [stone, stone], mu: 0, restitution: 1}}
  - {{between: [lead, lead], mu: 0}}
bodies:
  hammer:
    material: lead
    radii: {{type: list, values: [0.01]}}
    place: {{type: points, positions: [[0, 0, 0]]}}
    velocity: [{}, 0, 0]
  light:
    material: stone
    radii: {{type: list, values: [0.01]}}
    place: {{type: points, positions: [[0.025, 0, 0], [0.047, 0, 0]]}}
tools:
  plate: {{material: stone, shape: {{type: box, size: [0.001, 1, 1]}}, position: [0.06, 0, 0]}}
)",
                                             speed));
    for (int k = 0; k < 60; ++k) {
      shot.step();
      const Store& store = shot.store();
      std::vector<double> x(3, 0.0);
      for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
        x[store.id[i]] = store.position[i].x();
      }
      sum_over_ranks(MPI_COMM_WORLD, x);
      ASSERT_LT(x[0], x[1]) << k;
      ASSERT_LT(x[1], x[2]) << k;
      ASSERT_LT(x[2], 0.06) << k;
    }
  }
}

// Weight and fields press what lies on the floor far into it, were the floor not there: no reason
// to cut.
TEST(Tunnelling, WhatRestsIsNotCutHoweverHardItIsPressed) {
  std::string yaml = flight(Vec3::Zero(), 1e-2, kPlane);
  yaml.replace(yaml.find("[[0, 0, 0]]"), 11, "[[0.69, 0, 0]]");
  yaml.replace(yaml.find("gravity: [0, 0, 0]"), 18, "gravity: [1e4, 0, 0]");
  Simulation rest = simulation(yaml);
  for (int k = 0; k < 10; ++k) EXPECT_EQ(rest.step().clock.halvings(), 0);
}

}  // namespace
}  // namespace scree::test::tunnelling_test
