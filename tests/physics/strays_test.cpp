// ranks: 1 2 4, mostly 2
/// Bodies that others throw within a step do not end it deep in one that they were not to meet.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/contact/passing.hpp"
#include "support/simulate.hpp"

namespace scree::test::strays_test {
namespace {

constexpr double kRadius = 0.01;

constexpr const char* kNoPair = "between: [lead, lead], mu: 0";  ///< of which there is one ball

/// A heavy ball that goes at a radius a step of a second, the @p others, and the @p rest of the
/// scene. @param pair an entry of the friction
std::string behind_heavy(const std::string& others, const std::string& rest,
                         const std::string& pair) {
  return fmt::format(R"(
time: {{dt: 1, end: 10}}
gravity: [0, 0, 0]
solver: {{tolerance: 1e-10}}
materials: {{stone: {{density: 1000}}, lead: {{density: 19000}},
            iron: {{density: 8000}}, rubber: {{density: 1000, young_modulus: 0.01}}}}
friction: [{{between: default, mu: 0}}, {{{}}}]
bodies:
  first:
    material: lead
    radii: {{type: list, values: [0.01]}}
    place: {{type: points, positions: [[0, 0, 0]]}}
    velocity: [0.01, 0, 0]
{}
{})",
                     pair, others, rest);
}

/// A row of balls: the first, 19 times as heavy as the second that it touches, throws that at 0.95
/// of its speed against the @p last.
std::string cradle(const std::string& last, const std::string& rest = "",
                   const std::string& pair = kNoPair) {
  constexpr const char* kSecond = R"(
  second:
    material: stone
    radii: {type: list, values: [0.01]}
    place: {type: points, positions: [[0.02, 0, 0]]}
)";
  return behind_heavy(kSecond + last, rest, pair);
}

/// Most of a radius behind the second, and another at its back, so that two ranks share the row
/// between the second and the third, neither of which is known to the other's rank.
constexpr const char* kThirdBall = R"(
  third:
    material: stone
    radii: {type: list, values: [0.01]}
    place: {type: points, positions: [[0.047, 0.004, 0]]}
  fourth:
    material: stone
    radii: {type: list, values: [0.01]}
    place: {type: points, positions: [[0.067, 0, 0]]}
)";

/// The places of all grains by their groups, m. Collective.
std::vector<Vec3> places(const Simulation& simulation, std::size_t n) {
  std::vector<double> all(3 * n, 0.0);
  const Store& store = simulation.store();
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    Vec3::Map(&all[3 * static_cast<std::size_t>(store.group[slot])]) = store.position[slot];
  }
  sum_over_ranks(MPI_COMM_WORLD, all);
  std::vector<Vec3> result;
  for (std::size_t i = 0; i < n; ++i) result.push_back(Vec3::Map(&all[3 * i]));
  return result;
}

/// How deep the second and the third ball are in each other, over their radius. Collective.
double depth(const Simulation& simulation, const Vec3& period = Vec3::Zero()) {
  const std::vector<Vec3> at = places(simulation, 4);
  Vec3 apart = at[2] - at[1];
  for (int axis = 0; axis < 3; ++axis) {
    if (period[axis] > 0.0) apart[axis] = std::remainder(apart[axis], period[axis]);
  }
  return 2.0 - apart.norm() / kRadius;
}

/// The deepest overlap of any two of all balls, over their radius; each pair is tried. Collective.
double deepest_overlap(const Simulation& simulation, const Vec3& period) {
  const Store& store = simulation.store();
  const std::int64_t n = sum_over_ranks(MPI_COMM_WORLD, std::int64_t{store.n_owned});
  std::vector<double> at(3 * static_cast<std::size_t>(n), 0.0);
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    Vec3::Map(&at[3 * static_cast<std::size_t>(store.id[slot])]) = store.position[slot];
  }
  sum_over_ranks(MPI_COMM_WORLD, at);
  double deepest = 0.0;
  for (std::size_t i = 0; i < at.size(); i += 3) {
    for (std::size_t j = 0; j < i; j += 3) {
      Vec3 apart = Vec3::Map(&at[i]) - Vec3::Map(&at[j]);
      for (int axis = 0; axis < 3; ++axis) apart[axis] = std::remainder(apart[axis], period[axis]);
      deepest = std::max(deepest, 2.0 - apart.norm() / kRadius);
    }
  }
  return deepest;
}

TEST(Strays, ABallThatIsThrownEndsInNoOther) {
  // 0.95 radii would bring the second 0.2 radii deep into the third, twice as deep as it may be
  Simulation row = simulation(cradle(kThirdBall));
  const StepResult& part = row.step();
  EXPECT_EQ(part.impact.report.status, Status::converged);
  EXPECT_EQ(part.clock.halvings(), 1);
  EXPECT_LE(depth(row), kDeepest);
  run(row, 1);
  EXPECT_LE(depth(row), kDeepest);
}

TEST(Strays, ABallThatIsThrownAcrossTheSeamEndsInNoOther) {
  // at -0.1645 the seam is between the two, whose images are not known to each other
  for (const double low : {-0.1645, -0.035, -0.01, 0.0, 0.015, 0.025, 0.035}) {
    const std::string cell = fmt::format("periodic: {{x: [{}, {}]}}", low, low + 0.2);
    Simulation row = simulation(cradle(kThirdBall, cell));
    row.step();
    EXPECT_LE(depth(row, {0.2, 0.0, 0.0}), kDeepest) << low;
  }
}

TEST(Strays, ABallThatIsThrownEndsInNoTool) {
  for (const char* shape : {"{type: plane}, normal: [-1, 0, 0], position: [0.031, 0, 0]",
                            "{type: box, size: [0.02, 0.1, 0.1]}, position: [0.041, 0, 0]"}) {
    const std::string wall = fmt::format("tools: {{wall: {{material: stone, shape: {}}}}}", shape);
    Simulation row = simulation(cradle("", wall));
    row.step();
    EXPECT_LE(places(row, 2)[1].x() + kRadius - 0.031, kDeepest * kRadius) << shape;
  }
}

/// The step knows one of the two sides of a hole, which the ball touches.
TEST(Strays, ABallThatIsThrownAcrossAHoleEndsNotInItsOtherSide) {
  constexpr const char* kPassed = "contact: none, between: [lead, iron]";
  for (const char* shape : {"{type: hollow_cylinder, radius: 0.013}",
                            "{type: ring, major_radius: 0.023, minor_radius: 0.01}"}) {
    const std::string hole = fmt::format(
        "tools: {{hole: {{material: iron, position: [0.023, 0, 0], shape: {}}}}}", shape);
    Simulation row = simulation(cradle("", hole, kPassed));
    const StepResult& part = row.step();
    EXPECT_EQ(part.impact.report.status, Status::converged);
    EXPECT_EQ(part.clock.halvings(), 1);
    EXPECT_LE(places(row, 2)[1].x() - 0.026, kDeepest * kRadius) << shape;
  }
}

/// A cube in the place of the second ball.
TEST(Strays, AToolThatIsThrownEndsInNoGrain) {
  constexpr const char* kLast = R"(
  last:
    material: stone
    radii: {type: list, values: [0.01]}
    place: {type: points, positions: [[0.047, 0, 0]]}
)";
  const std::string cube = R"(
tools:
  cube:
    {material: stone, shape: {type: box, size: [0.02, 0.02, 0.02]}, position: [0.02, 0, 0], mass: 4e-3,
     motion: {type: load, free: [x]}}
)";
  for (const char* cell : {"", "periodic: {x: [-0.1645, 0.0355]}"}) {
    Simulation row = simulation(behind_heavy(kLast, cube + cell, kNoPair));
    row.step();
    const double apart = places(row, 2)[1].x() - row.store().position[0].x();
    EXPECT_LE(2.0 - std::remainder(apart, 0.2) / kRadius, kDeepest) << cell;
  }
}

TEST(Strays, AnEllipsoidThatIsThrownEndsInNoOther) {
  constexpr const char* kLast = R"(
  third:
    material: stone
    shape: {type: ellipsoid, semi_axes: [0.01, 0.02, 0.02]}
    place: {type: points, positions: [[0.041, 0, 0]]}
)";
  Simulation row = simulation(cradle(kLast));
  row.step();
  EXPECT_LE(depth(row), kDeepest);  // on the axis both have their radius
}

/// Heavy balls go through a gas of light ones, and throw them on in all directions. Balls that know
/// each other do not overlap, since their planes part them.
TEST(Strays, NoTwoBallsOfAGasThatIsStirredOverlap) {
  Simulation gas = simulation(R"(
time: {dt: 1, end: 10}
gravity: [0, 0, 0]
periodic: {x: [0, 0.2], y: [0, 0.15], z: [0, 0.15]}
solver: {tolerance: 1e-8}
materials: {stone: {density: 1000}, lead: {density: 50000}}
friction: [{between: default, mu: 0.3}]
bodies:
  light:
    material: stone
    radii: {type: list, values: [0.01]}
    place: {type: box, low: [0, 0, 0], high: [0.2, 0.15, 0.15], count: 250, seed: 3}
  to_and:
    material: lead
    radii: {type: list, values: [0.01]}
    velocity: [0.007, 0.004, 0.002]
    place: {type: box, low: [0, 0, 0], high: [0.2, 0.15, 0.15], count: 8, seed: 4}
  fro:
    material: lead
    radii: {type: list, values: [0.01]}
    velocity: [-0.005, 0.003, -0.006]
    place: {type: box, low: [0, 0, 0], high: [0.2, 0.15, 0.15], count: 8, seed: 5}
)");
  double deepest = 0.0;
  while (gas.n_steps() < 8) {
    ASSERT_EQ(gas.step().impact.report.status, Status::converged);
    deepest = std::max(deepest, deepest_overlap(gas, {0.2, 0.15, 0.15}));
  }
  EXPECT_LE(deepest, kDeepest);
}

TEST(Strays, ABallThatIsThrownMayCompressTheSpringOfOneThatItTouches) {
  constexpr const char* kSoft = R"(
  third:
    material: rubber
    radii: {type: list, values: [0.01]}
    place: {type: points, positions: [[0.04, 0, 0]]}
)";
  Simulation row = simulation(cradle(kSoft));
  const StepResult& part = row.step();
  EXPECT_EQ(part.impact.report.status, Status::converged);
  EXPECT_EQ(part.clock.halvings(), 0);
  EXPECT_GT(depth(row), kDeepest);
}

/// ReLCP finds the spring within the step.
TEST(Strays, ABallThatIsThrownMayCompressASpringThatIsFoundWithinTheStep) {
  constexpr const char* kSoft = R"(
  third:
    material: rubber
    radii: {type: list, values: [0.01]}
    place: {type: points, positions: [[0.045, 0, 0]]}
)";
  Simulation row = simulation(cradle(kSoft, "contact: {constraints: relcp}"));
  const StepResult& part = row.step();
  EXPECT_EQ(part.impact.report.status, Status::converged);
  EXPECT_EQ(part.clock.halvings(), 0);
  EXPECT_GT(depth(row), kDeepest);
}

TEST(Strays, ABallThatIsThrownWhereNothingIsGoesOn) {
  Simulation row = simulation(cradle(""));
  EXPECT_EQ(row.step().clock.halvings(), 0);
}

/// The second goes into the room of another rank, beside the third. Where a body strays, the step
/// asks for the velocities of ghosts, six numbers each, and sends copies of bodies.
TEST(Strays, CopiesOfBodiesThatStrayAreCounted) {
  constexpr const char* kBeside = R"(
  third:
    material: stone
    radii: {type: list, values: [0.01]}
    place: {type: points, positions: [[0.047, 0.03, 0]]}
  fourth:
    material: stone
    radii: {type: list, values: [0.01]}
    place: {type: points, positions: [[0.067, 0, 0]]}
)";
  const auto sent = [&](const std::string& velocity) {
    Simulation row = simulation(cradle(kBeside), {"bodies.first.velocity=" + velocity});
    const StepResult& part = row.step();
    EXPECT_EQ(part.clock.halvings(), 0);
    const auto velocities = static_cast<std::int64_t>(sizeof(Vec6)) * part.n_ghosts;
    return std::array{sum_over_ranks(MPI_COMM_WORLD, part.traffic.bytes),
                      sum_over_ranks(MPI_COMM_WORLD, velocities)};
  };
  const std::int64_t calm = sent("[1e-6, 0, 0]")[0];
  const auto [thrown, velocities] = sent("[0.01, 0, 0]");
  if (size_of(MPI_COMM_WORLD) == 1) {
    EXPECT_EQ(thrown, 0);
  } else {
    EXPECT_GT(thrown, calm + velocities);
  }
}

}  // namespace
}  // namespace scree::test::strays_test
