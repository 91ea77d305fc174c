// ranks: 1 2 4, mostly 1
/// Steps that are as long as what happens in them allows.

#include <algorithm>
#include <cmath>

#include "scree/base/parallel.hpp"
#include "scree/contact/resolved_length.hpp"
#include "support/simulate.hpp"

namespace scree::test::step_length_test {
namespace {

/// A ball of 10 mm and 10.89 g on a spring of 1e6 N/m, with which it touches the floor for 0.328
/// ms, falls from 50 mm at 0.99 m/s. The longest step is 12 times as long.
constexpr const char* kBall = R"(
time: {dt: auto, min: 1e-6, max: 4e-3, end: 1.2}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.3, stiffness: 1e6, restitution: 0.6}]
bodies:
  ball:
    material: stone
    radii: {type: list, values: [0.01]}
    place: {type: points, positions: [[0, 0, 0.06]]}
tools: {floor: {material: stone, shape: {type: plane}}}
)";
constexpr double kDuration = 3.28e-4;

/// A part of a step, and the ball, the first grain, at its end.
struct Part {
  StepClock clock;
  double height;  ///< of its centre, m
  double speed;   ///< upwards, m/s
};

double over_ranks(const Store& store, const Vec3& value) {
  return sum_over_ranks(MPI_COMM_WORLD, store.n_owned > 0 ? value.z() : 0.0);
}

Part next_part(Simulation& run) {
  const StepClock clock = run.step().clock;
  const Store& store = run.store();
  const bool is_here = store.n_owned > 0;
  const std::int32_t slot = store.first_owned();
  const Vec3 none = Vec3::Zero();
  return {clock, over_ranks(store, is_here ? store.position[slot] : none),
          over_ranks(store, is_here ? store.velocity[slot] : none)};
}

std::vector<Part> parts_of(Simulation& run) {
  std::vector<Part> parts;
  while (!run.is_at_end()) parts.push_back(next_part(run));
  return parts;
}

/// Speeds at which the ball leaves the floor over those at which it came, of the impacts that are
/// faster than @p least, m/s.
std::vector<double> restitutions(const std::vector<Part>& parts, double least) {
  std::vector<double> all;
  double down = 0.0;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const bool touched = parts[i - 1].height < 0.01;
    const bool touches = parts[i].height < 0.01;
    if (touches && !touched) down = -parts[i - 1].speed;
    if (touched && !touches && down > least) all.push_back(parts[i].speed / down);
  }
  return all;
}

TEST(StepLength, ResolvesImpactsAndIsLongBetweenThem) {
  Simulation run = simulation(kBall);
  const std::vector<Part> parts = parts_of(run);
  EXPECT_EQ(parts.front().clock.dt, 4e-3) << "far from the floor";
  EXPECT_EQ(parts.back().clock.dt, 4e-3) << "at rest";
  EXPECT_NEAR(parts.back().height, 0.01, 1e-6) << "its weight makes an overlap of 1.1e-7 m";
  // what gravity gives in the longest step, 0.04 m/s, is no impact: of the others ten steps and
  // more a contact, where e comes out within 0.02 and the phase of the first adds 0.01
  const std::vector<double> e = restitutions(parts, 0.06);
  ASSERT_GE(e.size(), 4);
  for (const double one : e) EXPECT_NEAR(one, 0.6, 0.03);
  EXPECT_NEAR(e.front(), 0.6, 0.02);
  for (const Part& part : parts) {
    if (part.height < 0.01 && std::abs(part.speed) > 0.06) {
      EXPECT_LE(part.clock.dt, kImpactShare * kDuration);
    }
  }
  EXPECT_LT(parts.size(), 700);  // of 2e4 as short as those that an impact takes
}

TEST(StepLength, FallsAtOnceAndGrowsByDoubling) {
  Simulation run = simulation(kBall);
  const std::vector<Part> parts = parts_of(run);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    EXPECT_LE(parts[i].clock.dt, 2.0 * parts[i - 1].clock.dt);
    EXPECT_EQ(parts[i].clock.time, parts[i - 1].clock.end);
  }
}

TEST(StepLength, WithOneLengthIsAFixedStepBitForBit) {
  const Overrides one{"time.min=4e-3"};
  const Overrides fixed{"time={dt: 4e-3, end: 1.2}"};
  Simulation chosen = simulation(kBall, one);
  Simulation same = simulation(kBall, fixed);
  const std::vector<Part> a = parts_of(chosen);
  const std::vector<Part> b = parts_of(same);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].clock.end, b[i].clock.end);
    EXPECT_EQ(a[i].height, b[i].height);
    EXPECT_EQ(a[i].speed, b[i].speed);
  }
}

// Amid an impact, and amid the growth after it.
TEST(StepLength, GoesOnFromACheckpointAsWithoutOne) {
  for (const std::size_t at : {30, 45}) {
    Simulation whole = simulation(kBall);
    for (std::size_t i = 0; i < at; ++i) whole.step();
    const CheckpointContent kept = checkpoint(whole);
    Simulation again(MPI_COMM_WORLD, read_run_config(kBall, "test.yaml"), kept);
    for (std::size_t i = 0; i < 100; ++i) {
      const Part expected = next_part(whole);
      const Part part = next_part(again);
      ASSERT_EQ(part.clock.dt, expected.clock.dt) << at << " + " << i;
      ASSERT_EQ(part.clock.end, expected.clock.end);
      ASSERT_EQ(part.height, expected.height);
    }
  }
}

/// Balls that fall into a box on a floor that goes up and down.
constexpr const char* kBed = R"(
time: {dt: auto, min: 2e-5, max: 2e-3, end: 0.06}
materials: {stone: {density: 2600, young_modulus: 1e8}}
friction: [{between: [stone, stone], mu: 0.3, restitution: 0.5}]
contact: {law: linear}
bodies:
  bed:
    material: stone
    radii: {type: uniform, min: 0.008, max: 0.012}
    place: {type: box, low: [0, 0, 0.01], high: [0.1, 0.1, 0.12], count: 60, seed: 1}
    velocity: [0.3, 0, -1]
tools:
  floor:
    material: stone
    shape: {type: plane}
    motion: {type: oscillation, amplitude: 1e-3, frequency: 20}
  left: {material: stone, shape: {type: plane}, normal: [1, 0, 0]}
  right: {material: stone, shape: {type: plane}, position: [0.1, 0, 0], normal: [-1, 0, 0]}
  front: {material: stone, shape: {type: plane}, normal: [0, 1, 0]}
  back: {material: stone, shape: {type: plane}, position: [0, 0.1, 0], normal: [0, -1, 0]}
solver: {tolerance: 1e-10}
)";

TEST(StepLength, IsTheSameOnAllRanksAsOnOne) {
  const RunConfig config = read_run_config(kBed, "test.yaml");
  Simulation alone(MPI_COMM_SELF, config);
  Simulation together(MPI_COMM_WORLD, config);
  // chaos has not parted the two in so few
  for (int i = 0; i < 200; ++i) {
    const StepClock& one = alone.step().clock;
    const StepClock& all = together.step().clock;
    ASSERT_EQ(one.end, all.end) << i;
    ASSERT_EQ(one.dt, all.dt) << i;
  }
}

// To rounding of a sine of 1e-3 m.
TEST(StepLength, KeepsToolsOnTheirPaths) {
  Simulation run = simulation(kBed);
  double shortest = 1.0;
  for (int i = 0; i < 100; ++i) {
    const StepClock clock = run.step().clock;
    shortest = std::min(shortest, clock.dt);
    EXPECT_NEAR(run.store().position[0].z(), 1e-3 * std::sin(40.0 * M_PI * clock.end), 1e-17);
  }
  EXPECT_LT(shortest, 1e-3);
}

/// A rigid ball that slides along a floor: a quarter of its radius in a step.
TEST(StepLength, BoundsTravel) {
  Simulation run = simulation(
      kBall, {"time.max=1e-2", "time.min=1e-4", "friction.0.stiffness=0", "friction.0.mu=0",
              "bodies.ball.place.positions=[[0, 0, 0.01]]", "bodies.ball.velocity=[3, 0, 0]"});
  run.step();
  const double dt = run.step().clock.dt;
  EXPECT_LE(3.0 * dt, 0.25 * 0.01);
  EXPECT_GT(6.0 * dt, 0.25 * 0.01) << "the longest block that is short enough";
}

}  // namespace
}  // namespace scree::test::step_length_test
