// ranks: 1 2 4, mostly 2
/// Joints between free tools and grains against closed forms, an ODE and one rank.
///
/// Bounds: solves end within 1e-11 of impulses, which leaves 1e-9 m and 1e-7 N of what is at rest.
/// Misfits are of third order in dt: (w dt)^2 a dt / 6 and the like, some 1e-7 m of a pendulum at 1
/// ms; after a velocity that jumps, as of a crank that a motor starts, of second, 1e-6 m; in chains
/// that whip, 1e-5 m by judgement. Ranks may differ by what their solves leave, 1e-7 m by
/// judgement.

#include "scree/step/joints.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "scree/base/parallel.hpp"
#include "scree/step/energies.hpp"
#include "support/simulate.hpp"

namespace scree::test::joints_test {
namespace {

constexpr double kGravity = 9.81;

std::string mechanism(const std::string& parts, double dt) {
  return fmt::format(R"(
time: {{dt: {}, end: 10}}
materials: {{steel: {{density: 7800}}}}
friction: [{{between: [steel, steel], mu: 0.3}}]
solver: {{tolerance: 1e-11}}
{})",
                     dt, parts);
}

std::vector<JointEnds> ends_of(const Simulation& scene) {
  return joint_ends(scene.comm(), scene.state().joints, {scene.store(), scene.setup().cell});
}

double turn_of(const JointEnds& ends) {
  return coordinate_row(Coordinate::turn, ends).value / ends.length;
}

/// The largest misfit of any joint.
double misfit_of_all(const Simulation& scene) {
  const std::vector<JointFrame>& joints = scene.state().joints;
  const std::vector<JointEnds> ends = ends_of(scene);
  double largest = 0.0;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    largest = std::max(largest, misfit_of(scene.config().joints[joints[i].spec], ends[i]));
  }
  return largest;
}

double kinetic_of(const Simulation& scene) {
  return energies(scene.comm(), scene.store(), scene.config().gravity).kinetic;
}

double energy_of(const Simulation& scene) {
  const Energies now = energies(scene.comm(), scene.store(), scene.config().gravity);
  return now.kinetic + now.potential;
}

/// x, v after @p steps of the midpoint of four slopes of x'' = @p force(x).
template <class Force>
std::array<double, 2> integrated(double x, double v, double end, int steps, Force&& force) {
  const double h = end / steps;
  const auto slope = [&force](std::array<double, 2> y) { return std::array{y[1], force(y[0])}; };
  std::array<double, 2> y{x, v};
  const auto at = [&y](std::array<double, 2> k, double s) {
    return std::array{y[0] + s * k[0], y[1] + s * k[1]};
  };
  for (int i = 0; i < steps; ++i) {
    const auto k1 = slope(y);
    const auto k2 = slope(at(k1, 0.5 * h));
    const auto k3 = slope(at(k2, 0.5 * h));
    const auto k4 = slope(at(k3, h));
    for (int k = 0; k < 2; ++k) y[k] += h / 6.0 * (k1[k] + 2.0 * k2[k] + 2.0 * k3[k] + k4[k]);
  }
  return y;
}

constexpr double kEnd = 0.5;

struct Angles {
  double turn;
  double misfit;
};

/// A rod on a hinge that is let go when it lies level, 0.5 s later.
Angles pendulum(double dt) {
  Simulation scene = simulation(mechanism(R"(
tools:
  rod: {material: steel, shape: {type: box, size: [0.4, 0.02, 0.02]}, position: [0.2, 0, 0], motion: {type: load}}
joints:
  pin: {type: hinge, between: [rod, world], position: [0, 0, 0], axis: [0, 1, 0]}
)",
                                          dt));
  run(scene, std::lround(kEnd / dt));
  return {turn_of(ends_of(scene)[0]), misfit_of_all(scene)};
}

// The velocity of a step is that of its middle, so that a start at rest is half a step late:
// angles are right to first order. What is held is held to third.
TEST(Joints, APendulumSwingsAsItsEquationSays) {
  const double inertia = (0.4 * 0.4 + 0.02 * 0.02) / 12.0 + 0.04;  // over the mass
  const double angle = integrated(
      0.0, 0.0, kEnd, 2000, [&](double x) { return kGravity * 0.2 / inertia * std::cos(x); })[0];
  std::array<double, 2> error{};
  std::array<double, 2> misfit{};
  for (const int k : {0, 1}) {
    const Angles end = pendulum(k == 0 ? 2e-3 : 1e-3);
    error[k] = std::abs(end.turn - angle);
    misfit[k] = end.misfit;
  }
  EXPECT_LE(error[1], 1e-2);
  EXPECT_NEAR(error[0] / error[1], 2.0, 0.1);
  EXPECT_LE(misfit[1], 1e-7);
  EXPECT_NEAR(misfit[0] / misfit[1], 8.0, 1.0);
}

// Two cranks of one length and a bar as long as the ground: the bar stays level. More is held than
// can move (planar hinges in space), which contradicts nothing.
TEST(Joints, AParallelLinkageKeepsItsBarLevel) {
  Simulation scene = simulation(mechanism(R"(
tools:
  left: {material: steel, shape: {type: box, size: [0.02, 0.02, 0.3]}, position: [0, 0, 0.15], motion: {type: load}}
  right: {material: steel, shape: {type: box, size: [0.02, 0.02, 0.3]}, position: [0.5, 0, 0.15], motion: {type: load}}
  bar: {material: steel, shape: {type: box, size: [0.5, 0.02, 0.02]}, position: [0.25, 0, 0.3], motion: {type: load}}
joints:
  a: {type: hinge, between: [left, world], position: [0, 0, 0], axis: [0, 1, 0]}
  b: {type: hinge, between: [bar, left], position: [0, 0, 0.3], axis: [0, 1, 0]}
  c: {type: hinge, between: [bar, right], position: [0.5, 0, 0.3], axis: [0, 1, 0]}
  d: {type: hinge, between: [right, world], position: [0.5, 0, 0], axis: [0, 1, 0]}
motors:
  crank: {joint: a, type: velocity, velocity: "3"}
)",
                                          1e-3));
  run(scene, 400);
  const std::vector<JointEnds> ends = ends_of(scene);
  EXPECT_NEAR(turn_of(ends[0]), 1.2, 1e-6);
  EXPECT_NEAR(turn_of(ends[3]), 1.2, 1e-6);
  EXPECT_NEAR(rotation_vector(scene.store().orientation[2]).norm(), 0.0, 1e-6);
  EXPECT_LE(misfit_of_all(scene), 1e-6);
}

/// Ten grains in a row, joined by balls, hung by the first; the last carries a plate.
std::string chain(const std::string& contact) {
  std::string places;
  for (int i = 0; i < 10; ++i) places += fmt::format("{}[{}, 0, 0]", i == 0 ? "" : ", ", 0.1 * i);
  return mechanism(fmt::format(R"(
bodies:
  links: {{material: steel, radii: {{type: list, values: [0.06]}}, place: {{type: points, positions: [{}]}}}}
tools:
  plate: {{material: steel, shape: {{type: box, size: [0.1, 0.1, 0.02]}}, position: [1, 0, 0], motion: {{type: load}}}}
joints:
  hook: {{type: ball, between: ["links[0]", world], position: [-0.05, 0, 0]}}
  chain: {{type: ball, chain: links{}}}
  load: {{type: fixed, between: [plate, "links[9]"]}}
)",
                               places, contact),
                   2e-3);
}

// The joined grains overlap: they do not meet.
TEST(Joints, AChainSwingsAlikeOnAnyRanks) {
  Simulation scene = simulation(chain(""));
  Simulation alone(MPI_COMM_SELF, read_run_config(chain(""), "test.yaml", {}));
  const double before = energy_of(scene);
  run(scene, 50);
  run(alone, 50);
  EXPECT_EQ(scene.state().joints.size(), 11U);
  EXPECT_EQ(scene.result().contacts.size(), 0U);
  const std::vector<JointEnds> ends = ends_of(scene);
  const std::vector<JointEnds> there = ends_of(alone);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    EXPECT_LE((ends[i].a.point - there[i].a.point).norm(), 1e-7) << i;
  }
  EXPECT_LE(misfit_of_all(scene), 1e-5);
  const double after = energy_of(scene);
  EXPECT_NEAR(after, before, 0.02 * kinetic_of(scene));  // half a step late in 50
}

// At rest each joint bears what hangs below it.
TEST(Joints, ForcesAreTheWeightsBelow) {
  Simulation scene = simulation(mechanism(R"(
tools:
  upper: {material: steel, shape: {type: sphere, radius: 0.1}, position: [0, 0, -0.2], motion: {type: load}, mass: 3}
  lower: {material: steel, shape: {type: sphere, radius: 0.1}, position: [0.3, 0, -0.2], motion: {type: load}, mass: 2}
joints:
  hook: {type: fixed, between: [upper, world], position: [0, 0, 0]}
  arm: {type: fixed, between: [upper, lower], position: [0.1, 0, -0.2]}
)",
                                          1e-3));
  run(scene, 10);
  const std::vector<JointForce>& forces = scene.result().joint_forces;
  constexpr double kBound = 1e-7;  // the tolerance, of forces of 50 N
  EXPECT_NEAR(forces[0].force.z(), 5 * kGravity, kBound);
  EXPECT_NEAR(forces[0].torque.y(), -2 * kGravity * 0.3, kBound);
  EXPECT_NEAR(forces[1].force.z(), -2 * kGravity, kBound);
  EXPECT_NEAR(forces[1].torque.y(), 2 * kGravity * 0.2, kBound);
}

// The torque is told about the point of the joint on its first body, whichever of the two that is.
TEST(Joints, AForceIsThatOnTheFirstBody) {
  const auto forces_between = [](const std::string& between, const std::string& sign) {
    Simulation scene = simulation(mechanism(fmt::format(R"(
tools:
  cart: {{material: steel, shape: {{type: sphere, radius: 0.1}}, position: [0, 0, 0], motion: {{type: load}}, mass: 3}}
joints:
  rail: {{type: slider, between: {}, position: [0, 0, 0], axis: [1, 0, 0]}}
motors:
  push: {{joint: rail, type: velocity, velocity: "{}2"}}
)",
                                                        between, sign),
                                            1e-3));
    run(scene, 500);
    EXPECT_NEAR(scene.store().position[0].x(), 1.0, 1e-9);
    return scene.result().joint_forces[0];
  };
  constexpr double kBound = 1e-6;  // the tolerance, of forces that began with 6,000 N
  const JointForce on_cart = forces_between("[cart, world]", "");
  EXPECT_NEAR(on_cart.force.z(), 3 * kGravity, kBound);
  EXPECT_NEAR(on_cart.torque.norm(), 0.0, kBound);
  const JointForce on_world = forces_between("[world, cart]", "-");
  EXPECT_NEAR(on_world.force.z(), -3 * kGravity, kBound);
  // the cart, at 0.999 m when the step began, weighs upon the rail, which is known at the origin
  EXPECT_NEAR(on_world.torque.y(), 3 * kGravity * 0.998, kBound);
}

// A ball on a rope, a rod and a spring: the rope is slack until the ball has fallen by 0.1 m.
TEST(Joints, LinesHoldAndPull) {
  Simulation scene = simulation(mechanism(R"(
tools:
  roped: {material: steel, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0], motion: {type: load}, mass: 1}
  rodded: {material: steel, shape: {type: sphere, radius: 0.1}, position: [1, 0, 0], motion: {type: load}, mass: 2}
  sprung: {material: steel, shape: {type: sphere, radius: 0.1}, position: [2, 0, 0], motion: {type: load}, mass: 3}
joints:
  rope: {type: strut, between: [roped, world], points: [[0, 0, 0], [0, 0, 1]], stretch: {limits: [-0.9, 0.1]}}
  rod: {type: distance, between: [rodded, world], points: [[1, 0, 0], [1, 0, 0.5]]}
  spring: {type: strut, between: [sprung, world], points: [[2, 0, 0], [2, 0, 0.5]],
           stretch: {stiffness: 100, damping: 30}}
)",
                                          1e-3));
  run(scene, 50);
  EXPECT_NEAR(scene.result().joint_forces[0].force.z(), 0.0, 1e-9);
  run(scene, 1950);
  const std::vector<JointForce>& forces = scene.result().joint_forces;
  EXPECT_NEAR(scene.store().position[0].z(), -0.1, 1e-9);
  EXPECT_NEAR(forces[0].force.z(), kGravity, 1e-7);
  EXPECT_NEAR(forces[1].force.z(), 2 * kGravity, 1e-7);
  EXPECT_NEAR(scene.store().position[2].z(), -3 * kGravity / 100, 1e-4);  // a tenth each 0.46 s
}

// A plane that may move along its normal alone: all that its guide holds is held already, but for
// the rounding of the plane's orientation.
TEST(Joints, AGuideOfWhatIsHeldLeavesTheRestFree) {
  Simulation scene = simulation(mechanism(R"(
gravity: [0, 0, 0]
tools:
  top: {material: steel, shape: {type: plane}, position: [0, 0, 0.2], normal: [0, 0, -1], mass: 1, motion: {type: load, free: [z]}}
joints:
  guide: {type: slider, between: [top, world], position: [0, 0, 0.2], axis: [0, 0, 1]}
motors:
  ram: {joint: guide, type: velocity, velocity: "-0.02", largest: "1e6"}
)",
                                          1e-3));
  run(scene, 100);
  EXPECT_NEAR(scene.store().position[0].z(), 0.2 - 0.02 * 0.1, 1e-12);
  EXPECT_LE(scene.result().joint_forces[0].force.norm(), 1e-6);
}

// Two grains on ranks of their own slide apart on a common axis and turn about it.
TEST(Joints, GrainsKnowEachOtherAsFarAsTheirJointLetsThemBe) {
  Simulation scene = simulation(mechanism(R"(
gravity: [0, 0, 0]
bodies:
  ends: {material: steel, radii: {type: list, values: [0.05]}, place: {type: points, positions: [[0, 0, 0], [0.2, 0, 0]]}}
  load: {material: steel, radii: {type: list, values: [0.05]}, place: {type: points, positions: [[0, 3, 0], [1, 3, 0], [2, 3, 0]]}}
joints:
  guide: {type: cylinder, between: ["ends[1]", "ends[0]"], axis: [1, 0, 0], slide: {limits: [-0.05, 1]}}
motors:
  push: {joint: guide, along: slide, type: load, load: "t < 0.1 ? 40 : 0"}
  spin: {joint: guide, along: turn, type: velocity, velocity: "100"}
)",
                                          1e-3));
  run(scene, 1000);
  const JointFrame& joint = scene.state().joints[0];
  const JointEnds ends = ends_of(scene)[0];
  EXPECT_NEAR(place_along(Coordinate::slide, ends, 0.0).place, 1.0, 1e-9);
  EXPECT_NEAR(place_along(Coordinate::turn, ends, joint.turn).place, 100.0, 1e-6);
  EXPECT_LE(misfit_of_all(scene), 1e-6);
}

// A joint goes with its grain.
TEST(Joints, GoWithAGrainThatIsRemoved) {
  Simulation scene =
      simulation(chain("") + "keep_inside: {low: [-1, -1, -1], high: [0.55, 1, 1]}\n");
  run(scene, 1);
  EXPECT_EQ(scene.result().joint_forces.size(), 11U);
  EXPECT_EQ(scene.state().joints.size(), 6U);  // hook, five of the nine links; the plate is let go
  run(scene, 20);
  EXPECT_LE(misfit_of_all(scene), 1e-5);
}

TEST(Joints, ARunGoesOnFromACheckpoint) {
  Simulation whole = simulation(chain(""));
  run(whole, 20);
  const CheckpointContent half = checkpoint(whole);
  run(whole, 20);
  Simulation later(MPI_COMM_WORLD, read_run_config(chain(""), "test.yaml", {}), half);
  run(later, 20);
  const std::vector<JointEnds> ends = ends_of(whole);
  const std::vector<JointEnds> again = ends_of(later);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (size_of(whole.comm()) == 1) {
      EXPECT_EQ(ends[i].a.point, again[i].a.point) << i;
    } else {
      EXPECT_LE((ends[i].a.point - again[i].a.point).norm(), 1e-7) << i;
    }
  }
}

}  // namespace
}  // namespace scree::test::joints_test
