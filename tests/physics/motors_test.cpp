// ranks: 1 2
/// Limits, springs, dampers, friction and motors along the motions that joints leave free, against
/// closed forms of the steps' own rule.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "scree/step/joints.hpp"
#include "support/simulate.hpp"

namespace scree::test::motors_test {
namespace {

constexpr double kDt = 1e-3;
constexpr double kMass = 2.0;
constexpr double kInertia = 0.05;

/// A block on a slider along x, and a wheel on a hinge about x, without weight unless @p overrides
/// say otherwise.
Simulation scene(const std::string& slide, const std::string& turn, const std::string& motors = "",
                 const Overrides& overrides = {}) {
  return simulation(fmt::format(R"yaml(
time: {{dt: {}, end: 10}}
gravity: [0, 0, 0]
materials: {{steel: {{density: 7800}}}}
friction: [{{between: [steel, steel], mu: 0.3}}]
solver: {{tolerance: 1e-12}}
tools:
  block: {{material: steel, shape: {{type: sphere, radius: 0.1}}, position: [0.3, 0, 0], mass: {}, motion: {{type: load}}}}
  wheel:
    material: steel
    shape: {{type: sphere, radius: 0.1}}
    position: [0, 1, 0]
    mass: 1
    inertia: [{}, {}, {}]
    motion: {{type: load}}
joints:
  rail: {{type: slider, between: [block, world], position: [0, 0, 0], axis: [1, 0, 0], slide: {}}}
  axle: {{type: hinge, between: [wheel, world], position: [0, 1, 0], axis: [1, 0, 0], turn: {}}}
{}
)yaml",
                                kDt, kMass, kInertia, kInertia, kInertia, slide, turn,
                                motors.empty() ? motors : "motors:\n" + motors),
                    overrides);
}

struct Places {
  double slide;
  double turn;
};
Places places(const Simulation& scene) {
  const auto ends =
      joint_ends(scene.comm(), scene.state().joints, {scene.store(), scene.setup().cell});
  return {coordinate_row(Coordinate::slide, ends[0]).value,
          coordinate_row(Coordinate::turn, ends[1]).value / ends[1].length};
}

constexpr double kTight = 1e-9;  ///< solves end within 1e-12 of impulses; forces up to some 100 N

TEST(Motors, AVelocityIsKeptWithinALargestForce) {
  Simulation run_of = scene("{}", "{}", R"yaml(
  push: {joint: rail, type: velocity, velocity: "0.5"}
  spin: {joint: axle, type: velocity, velocity: "10", largest: "2"}
)yaml");
  run(run_of, 1);
  EXPECT_NEAR(run_of.store().velocity[0].x(), 0.5, kTight);
  EXPECT_NEAR(run_of.result().joint_forces[0].motor, kMass * 0.5 / kDt, 1e-6);
  // the torque does not suffice for more in a step
  EXPECT_NEAR(run_of.store().angular_velocity[1].x(), 2.0 / kInertia * kDt, kTight);
  EXPECT_NEAR(run_of.result().joint_forces[1].motor, 2.0, kTight);
  run(run_of, 299);  // after 250 the velocity is there
  EXPECT_NEAR(run_of.store().angular_velocity[1].x(), 10.0, kTight);
  EXPECT_NEAR(run_of.result().joint_forces[1].motor, 0.0, 1e-6);
  EXPECT_NEAR(places(run_of).slide, 0.5 * 300 * kDt, kTight);
}

TEST(Motors, APlaceIsFollowedTurnAfterTurn) {
  Simulation run_of = scene("{}", "{}", R"yaml(
  push: {joint: rail, type: position, position: "0.1*sin(5*t)"}
  spin: {joint: axle, type: position, position: "9*t"}
)yaml");
  for (int n = 1; n <= 400; ++n) {
    run_of.step();
    const double t = n * kDt;
    EXPECT_NEAR(places(run_of).slide, 0.1 * std::sin(5 * t), kTight);
    EXPECT_NEAR(std::remainder(places(run_of).turn - 9 * t, 2 * std::numbers::pi), 0.0, kTight);
  }
}

TEST(Motors, ALoadActsByItsFormula) {
  Simulation run_of = scene("{}", "{}", R"yaml(
  push: {joint: rail, type: load, load: "3 - 40*x - 2*v"}
  spin: {joint: axle, type: load, load: "0.4*t"}
)yaml");
  double x = 0.0;
  double v = 0.0;
  double spin = 0.0;
  for (int n = 0; n < 200; ++n) {
    run_of.step();
    v += kDt / kMass * (3.0 - 40.0 * x - 2.0 * v);
    x += kDt * v;
    spin += kDt / kInertia * 0.4 * n * kDt;
  }
  EXPECT_NEAR(places(run_of).slide, x, kTight);
  EXPECT_NEAR(run_of.store().angular_velocity[1].x(), spin, kTight);
}

// A spring and damper are implicit: m (v+ - v) = -dt (k (x + dt v+ - rest) + c v+).
TEST(Motors, SpringsAndDampersAreImplicit) {
  constexpr double kStiff = 500.0;
  constexpr double kDamp = 3.0;
  Simulation run_of =
      scene("{stiffness: 500, damping: 3, rest: 0.1}", "{stiffness: 500, damping: 3, rest: 0.1}");
  double x = 0.0;
  double v = 0.0;
  double angle = 0.0;
  double spin = 0.0;
  const auto next = [](double mass, double at, double speed) {
    return (mass * speed - kDt * kStiff * (at - 0.1)) / (mass + kDt * (kDt * kStiff + kDamp));
  };
  for (int n = 0; n < 100; ++n) {
    run_of.step();
    v = next(kMass, x, v);
    x += kDt * v;
    spin = next(kInertia, angle, spin);
    angle += kDt * spin;
  }
  EXPECT_NEAR(places(run_of).slide, x, kTight);
  EXPECT_NEAR(places(run_of).turn, angle, kTight);
}

// Pushed with 5 N against friction of 2 N, then let go.
TEST(Motors, DryFrictionSlowsAndHolds) {
  Simulation run_of = scene("{friction: 2}", "{friction: 0.3}", R"yaml(
  push: {joint: rail, type: load, load: "t < 0.0995 ? 5 : (t < 0.5 ? 0 : 1.9)"}
  spin: {joint: axle, type: load, load: "0.5"}
)yaml");
  run(run_of, 100);
  EXPECT_NEAR(run_of.store().velocity[0].x(), 3.0 / kMass * 0.1, kTight);
  run(run_of, 100);
  EXPECT_NEAR(run_of.store().velocity[0].x(), 3.0 / kMass * 0.1 - 2.0 / kMass * 0.1, kTight);
  run(run_of, 100);
  const double place = places(run_of).slide;
  EXPECT_NEAR(run_of.store().velocity[0].x(), 0.0, kTight);
  run(run_of, 300);  // pushed again, with less than friction holds
  EXPECT_NEAR(places(run_of).slide, place, kTight);
}

// A block falls on its lower limit, a wheel is driven to its upper one: neither bounces.
TEST(Motors, LimitsHold) {
  Simulation run_of = scene("{limits: [-0.2, 0.05]}", "{limits: [-0.1, 0.1]}", R"yaml(
  spin: {joint: axle, type: load, load: "1"}
)yaml",
                            {"gravity=[-9.81, 0, 0]"});
  double lowest = 0.0;
  for (int n = 0; n < 300; ++n) {
    run_of.step();
    lowest = std::min(lowest, places(run_of).slide);
  }
  EXPECT_NEAR(places(run_of).slide, -0.2, kTight);
  EXPECT_GE(lowest, -0.2 - kTight);
  EXPECT_NEAR(places(run_of).turn, 0.1, kTight);
  EXPECT_NEAR(run_of.result().joint_forces[0].force.x(), kMass * 9.81, 1e-6);
}

// The block is pushed against friction; the wheel, driven with a torque that does not suffice,
// comes to its limit. Velocities of some 0.1 m/s and 1 rad/s are solved to 1e-10 of impulses.
TEST(Motors, EveryMethodKeepsTheBoundsOfForces) {
  constexpr double kBound = 1e-7;
  for (const char* method : {"nsgs", "psor", "pgs", "amgs", "apgd", "pgj", "pac"}) {
    SCOPED_TRACE(method);
    Simulation run_of = scene("{friction: 2}", "{limits: [-1, 0.004]}", R"yaml(
  push: {joint: rail, type: load, load: "5"}
  spin: {joint: axle, type: velocity, velocity: "10", largest: "2"}
)yaml",
                              {fmt::format("solver.method={}", method), "solver.tolerance=1e-10",
                               "solver.on_not_converged=abort", "solver.max_iterations=100000"});
    run(run_of, 10);
    EXPECT_NEAR(run_of.store().velocity[0].x(), 3.0 / kMass * 10 * kDt, kBound);
    EXPECT_NEAR(run_of.store().angular_velocity[1].x(), 2.0 / kInertia * 10 * kDt, kBound);
    run(run_of, 10);
    EXPECT_NEAR(run_of.store().velocity[0].x(), 3.0 / kMass * 20 * kDt, kBound);
    EXPECT_NEAR(places(run_of).turn, 0.004, kBound);
    EXPECT_NEAR(run_of.result().joint_forces[1].motor, 2.0, 1e-5);
  }
}

}  // namespace
}  // namespace scree::test::motors_test
