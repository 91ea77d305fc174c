// ranks: 1 2 4
/// Friction of joints by a coefficient, cones that a ball swings in, and limits that a joint is
/// beyond, against closed forms of the steps' own rule and one rank.
///
/// Bounds: solves end within 1e-12 of impulses, of forces up to some 100 N. Ranks may differ by
/// what their solves leave, 1e-7 m by judgement.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/run/start.hpp"
#include "scree/base/parallel.hpp"
#include "scree/step/joints.hpp"
#include "scree/step/projection.hpp"
#include "support/simulate.hpp"

namespace scree::test::joint_bounds_test {
namespace {

constexpr double kDt = 1e-3;
constexpr double kGravity = 9.81;
constexpr double kTight = 1e-9;

std::string mechanism(const std::string& parts) {
  return fmt::format(R"yaml(
time: {{dt: {}, end: 10}}
materials: {{steel: {{density: 7800}}}}
friction: [{{between: [steel, steel], mu: 0.3}}]
solver: {{tolerance: 1e-12}}
{})yaml",
                     kDt, parts);
}

std::vector<JointEnds> ends_of(const Simulation& scene) {
  return joint_ends(scene.comm(), scene.state().joints, {scene.store(), scene.setup().cell});
}

double place_of(const Simulation& scene, Coordinate coordinate) {
  return place_along(coordinate, ends_of(scene)[0], scene.state().joints[0].turn).place;
}

/// A block of 2 kg on a rail along x, which a plane that falls by 0.5 rad bears.
Simulation incline(double coefficient, const Overrides& overrides = {}) {
  return simulation(
      mechanism(fmt::format(R"yaml(
gravity: [{}, 0, {}]
tools:
  block: {{material: steel, shape: {{type: sphere, radius: 0.1}}, position: [0.3, 0, 0], mass: 2, motion: {{type: load}}}}
joints:
  rail: {{type: slider, between: [block, world], axis: [1, 0, 0], position: [0.3, 0, 0], slide: {{friction: {{coefficient: {}}}}}}}
)yaml",
                            kGravity * std::sin(0.5), -kGravity * std::cos(0.5), coefficient)),
      overrides);
}

// The force of the step before bounds friction: the first step has none.
TEST(JointFriction, ABlockOnAnInclineSlidesByItsCoefficient) {
  constexpr double kMu = 0.3;
  Simulation scene = incline(kMu);
  run(scene, 200);
  const double pull = kGravity * std::sin(0.5);
  const double brake = kMu * kGravity * std::cos(0.5);
  EXPECT_NEAR(scene.store().velocity[0].x(), kDt * (200 * pull - 199 * brake), kTight);
  EXPECT_NEAR(scene.result().joint_forces[0].force.x(), -2.0 * brake, 1e-6);
}

// tan 0.5 is 0.546.
TEST(JointFriction, ABlockRestsBelowItsAngleOfFriction) {
  Simulation scene = incline(0.6);
  run(scene, 100);
  const double place = place_of(scene, Coordinate::slide);
  EXPECT_LE(place, 1e-3) << "the start is some steps late";
  run(scene, 200);
  EXPECT_NEAR(place_of(scene, Coordinate::slide), place, kTight);
  EXPECT_NEAR(scene.result().joint_forces[0].force.x(), -2.0 * kGravity * std::sin(0.5), 1e-6);
}

TEST(JointFriction, AConstantAddsToIt) {
  Simulation scene = incline(0.3, {"joints.rail.slide.friction.constant=1"});
  run(scene, 100);
  const double pull = kGravity * std::sin(0.5) - 1.0 / 2.0;
  EXPECT_NEAR(scene.store().velocity[0].x(),
              kDt * (100 * pull - 99 * 0.3 * kGravity * std::cos(0.5)), kTight);
}

// A wheel of 5 kg on a bearing of 20 mm, driven with 0.5 N m.
TEST(JointFriction, ABearingBrakesAtItsRadius) {
  constexpr double kInertia = 0.05;
  Simulation scene = simulation(mechanism(R"yaml(
tools:
  wheel: {material: steel, shape: {type: sphere, radius: 0.1}, mass: 5, inertia: [0.05, 0.05, 0.05], motion: {type: load}}
joints:
  axle: {type: hinge, between: [wheel, world], position: [0, 0, 0], axis: [1, 0, 0], turn: {friction: {coefficient: 0.2, radius: 0.02}}}
motors:
  spin: {joint: axle, type: load, load: "0.5"}
)yaml"));
  run(scene, 100);
  const double brake = 0.2 * 0.02 * 5 * kGravity;
  EXPECT_NEAR(scene.store().angular_velocity[0].x(), kDt / kInertia * (100 * 0.5 - 99 * brake),
              kTight);
}

// A block that slides on its rail is struck in a short step, which a long one follows, as where a
// step was cut: the blow brakes it once, by mu times its impulse, and weight by mu g dt in each
// step.
TEST(JointFriction, ABlowInAShortStepBrakesByItsImpulse) {
  constexpr double kMu = 0.3;
  constexpr double kBlow = 1.0;  // m/s across the rail
  RunConfig config = read_run_config(mechanism(R"yaml(
tools:
  block: {material: steel, shape: {type: sphere, radius: 0.1}, mass: 2, motion: {type: load}}
joints:
  rail: {type: slider, between: [block, world], axis: [1, 0, 0], position: [0, 0, 0], slide: {friction: {coefficient: 0.3}}}
)yaml"),
                                     "test.yaml");
  config.load_files();
  scree::Setup setup = setup_of(config);
  Machinery machinery(MPI_COMM_WORLD, config.solver);
  State state = starting_state(MPI_COMM_WORLD, config, setup);
  StageClock clock;
  const auto velocity = [&state]() -> Vec3& { return state.bodies.velocity[0]; };
  velocity().x() = 10.0;
  const auto lost_in_step = [&](double dt) {
    const double before = velocity().x();
    setup.dt = dt;
    take_step(state, setup, machinery, clock);
    return before - velocity().x();
  };
  for (int i = 0; i < 3; ++i) lost_in_step(kDt);
  velocity().z() = -kBlow;
  EXPECT_NEAR(lost_in_step(kDt), kMu * kGravity * kDt, kTight) << "the blow brakes a step later";
  EXPECT_NEAR(lost_in_step(8 * kDt), kMu * (kGravity * 8 * kDt + kBlow), kTight);
  EXPECT_NEAR(lost_in_step(8 * kDt), kMu * kGravity * 8 * kDt, kTight);
  EXPECT_NEAR(lost_in_step(kDt), kMu * kGravity * kDt, kTight);
  velocity().z() = -kBlow;
  EXPECT_NEAR(lost_in_step(8 * kDt), kMu * kGravity * 8 * kDt, kTight);
  EXPECT_NEAR(lost_in_step(kDt), kMu * (kGravity * kDt + kBlow), kTight);
}

/// Grains in a row on hinges that brake, hung by the first.
std::string braked_chain(double coefficient) {
  return mechanism(fmt::format(R"yaml(
bodies:
  links:
    material: steel
    radii: {{type: list, values: [0.06]}}
    place: {{type: points, positions: [[0, 0, 0], [0.1, 0, 0], [0.2, 0, 0], [0.3, 0, 0], [0.4, 0, 0], [0.5, 0, 0]]}}
joints:
  hook: {{type: ball, between: ["links[0]", world], position: [-0.05, 0, 0]}}
  chain: {{type: hinge, chain: links, axis: [0, 1, 0], turn: {{friction: {{coefficient: {}, radius: 0.05}}}}}}
)yaml",
                               coefficient));
}

Vec3 end_of(const Simulation& scene) {
  return ends_of(scene).back().a.point;
}

TEST(JointFriction, GrainsRememberTheirForcesOnAnyRanks) {
  Simulation scene = simulation(braked_chain(0.3));
  Simulation alone(MPI_COMM_SELF, read_run_config(braked_chain(0.3), "test.yaml", {}));
  Simulation free(MPI_COMM_SELF, read_run_config(braked_chain(0.0), "test.yaml", {}));
  run(scene, 250);
  run(alone, 250);
  run(free, 250);
  EXPECT_LE((end_of(scene) - end_of(alone)).norm(), 1e-7);
  EXPECT_GE((end_of(scene) - end_of(free)).norm(), 1e-3);
}

TEST(JointFriction, ARunGoesOnFromACheckpoint) {
  Simulation whole = simulation(braked_chain(0.3));
  run(whole, 50);
  Simulation later(MPI_COMM_WORLD, whole.config(), checkpoint(whole));
  run(whole, 50);
  run(later, 50);
  const double tolerance = size_of(MPI_COMM_WORLD) == 1 ? 0.0 : 1e-7;
  EXPECT_LE((end_of(whole) - end_of(later)).norm(), tolerance);
}

/// A mass of 2 kg hangs 0.2 m below a ball, and is drawn aside by 20 N/kg.
Simulation drawn_aside(double limit) {
  return simulation(mechanism(fmt::format(R"yaml(
gravity: [16, 12, 0]
tools:
  bob: {{material: steel, shape: {{type: sphere, radius: 0.1}}, position: [0, 0, -0.2], mass: 2, motion: {{type: load}}}}
joints:
  hook: {{type: ball, between: [bob, world], position: [0, 0, 0], axis: [0, 0, 1], swing: {{limit: {}}}}}
)yaml",
                                          limit)));
}

TEST(JointSwing, ABobRestsAtTheConesEdge) {
  constexpr double kLimit = 0.6;
  Simulation scene = drawn_aside(kLimit);
  double largest = 0.0;
  for (int n = 0; n < 500; ++n) {
    scene.step();
    const JointEnds ends = ends_of(scene)[0];
    largest = std::max(largest, swung(ends).value / ends.length);
  }
  const JointEnds ends = ends_of(scene)[0];
  EXPECT_NEAR(swung(ends).value / ends.length, kLimit, kTight);
  EXPECT_LE(largest, kLimit + 1e-4) << "of third order in the step that comes to it";
  const Vec3 down = scene.store().position[0];
  const Vec3 side = Vec3(0.8, 0.6, 0.0);
  EXPECT_NEAR(down.dot(side), 0.2 * std::sin(kLimit), 1e-7);
  const Vec3 torque = scene.result().joint_forces[0].torque;
  EXPECT_NEAR(torque.norm(), 2 * 20 * 0.2 * std::cos(kLimit), 1e-6);
  EXPECT_NEAR(torque.dot(Vec3::UnitZ().cross(side)), torque.norm(), 1e-6);
}

// A ball without a cone is free: the bob passes where that would be.
TEST(JointSwing, IsFreeWithoutALimit) {
  Simulation scene = drawn_aside(0.0);
  run(scene, 200);
  const JointEnds ends = ends_of(scene)[0];
  EXPECT_GT(swung(ends).value / ends.length, 0.6);
}

// A block that stands at 0.3 m is told to be below 0.1 m, and a bob to be within 0.2 rad.
TEST(JointLimits, ThatAreTightenedAreComeBackTo) {
  Simulation scene = simulation(mechanism(R"yaml(
gravity: [0, 0, 0]
contact: {recovery_speed: 0.5}
tools:
  block: {material: steel, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0], mass: 2, motion: {type: load}}
joints:
  rail: {type: slider, between: [block, world], position: [0, 0, 0], axis: [1, 0, 0], slide: {limits: [-1, 1]}}
motors:
  push: {joint: rail, type: position, position: "t < 0.1 ? 3*t : 0.3", largest: "t < 0.1995 ? 1e9 : 0"}
stages:
  - {name: wide, until: {duration: 0.2}}
  - {name: narrow, set: {joints.rail.slide.limits: [-1, 0.1]}}
)yaml"));
  const auto end_step = [&scene] {
    scene.step();
    scene.pass_events({.time = scene.time(), .kinetic_energy = 0.0, .tools = {}});
  };
  for (int n = 0; n < 200; ++n) end_step();
  ASSERT_NEAR(place_of(scene, Coordinate::slide), 0.3, kTight);
  for (int n = 0; n < 100; ++n) end_step();
  ASSERT_EQ(scene.stage(), 2);
  EXPECT_NEAR(place_of(scene, Coordinate::slide), 0.3 - 100 * kDt * 0.5, kTight);
  EXPECT_NEAR(scene.store().velocity[0].x(), -0.5, kTight);
}

// Two grains overlap as the run begins, and are parted, while a block on its rail is beyond its
// limit.
TEST(JointLimits, ThatArePassedAreNotPulledBackByAProjection) {
  RunConfig config = read_run_config(mechanism(R"yaml(
gravity: [0, 0, 0]
contact: {recovery_speed: 0.5}
bodies:
  pair: {material: steel, radii: {type: list, values: [0.05]}, place: {type: points, positions: [[0, 5, 0], [0.09, 5, 0]]}}
tools:
  block: {material: steel, shape: {type: sphere, radius: 0.1}, mass: 2, motion: {type: load}}
joints:
  rail: {type: slider, between: [block, world], position: [0, 0, 0], axis: [1, 0, 0], slide: {limits: [-1, 0.1]}}
)yaml"),
                                     "test.yaml");
  config.load_files();
  const scree::Setup setup = setup_of(config);
  Machinery machinery(MPI_COMM_WORLD, config.solver);
  State state = starting_state(MPI_COMM_WORLD, config, setup);
  StageClock clock;
  state.bodies.position[0].x() = 0.3;
  const StepResult step = take_step(state, setup, machinery, clock);
  EXPECT_GT(step.projected.overlap, 0.1) << "places were projected";
  const double place = state.bodies.position[0].x();
  EXPECT_LT(place, 0.3);
  EXPECT_GE(place, 0.3 - (kMostProjections + 1) * kDt * 0.5 - kTight);
}

}  // namespace
}  // namespace scree::test::joint_bounds_test
