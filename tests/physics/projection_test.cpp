// ranks: 1 2 4, mostly 1 2
/// Overlap of rigid bodies moves them, and gives them no speed, at any time step.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scree/contact/penetration.hpp"
#include "scree/step/energies.hpp"
#include "support/balls.hpp"

namespace scree::test::projection_test {
namespace {

constexpr const char* kFarPlane =
    "  far: {material: bare, shape: {type: plane}, position: [0, 0, -9]}\n";

/// Balls in a row along x, each @p overlap (m) into the next.
BallScene row_of(int count, double overlap) {
  BallScene scene{.tools = kFarPlane, .gravity = Vec3::Zero()};
  for (int i = 0; i < count; ++i) {
    scene.balls.push_back({.position = {i * (2.0 * kBallRadius - overlap), 0, 0}});
  }
  return scene;
}

double kinetic_energy(const Simulation& simulation) {
  return energies(simulation.comm(), simulation.store(), Vec3::Zero()).kinetic;
}

double deepest(Simulation& simulation) {
  const Penetration mine = penetration(simulation.store(), simulation.find_contacts());
  return max_over_ranks(simulation.comm(), mine.relative);
}

/// To part them in a step takes a speed of 100 m/s at a microsecond.
TEST(Projection, AStackGainsNoEnergyAtAnyTimeStep) {
  for (const double dt : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    SCOPED_TRACE(dt);
    BallScene scene{.pair = "mu: 0.3, restitution: 0", .bare = "mu: 0.3", .dt = dt};
    double z = kBallRadius;
    for (int i = 0; i < 5; ++i) {
      const double overlap = (0.00125 + 0.00025 * i) * kBallRadius;  // 0.1 to 0.2 %
      z -= overlap;
      scene.balls.push_back({.position = {0, 0, z}});
      z += 2.0 * kBallRadius;
    }
    Simulation stack = simulation(scene);
    ASSERT_GT(deepest(stack), 1e-3);
    for (int i = 0; i < 20; ++i) {
      const StepResult& result = stack.step();
      ASSERT_EQ(result.impact.report.status, Status::converged) << result.impact.report.reason;
    }
    EXPECT_LT(deepest(stack), kOverlapLeft);
    // what weight gives in that time, and nothing from overlaps
    const double fall = kBallGravity * 20 * dt;
    EXPECT_LT(kinetic_energy(stack), std::max(1e-8 * kBallMass * kBallGravity * kBallRadius,
                                              0.5 * 5 * kBallMass * fall * fall));
  }
}

/// The centre of a ball in a narrow hole runs on a circle that is much smaller than the ball:
/// overlap that the straight path of each step leaves does not add up.
TEST(Projection, ABallThatWhirlsInANarrowHoleStaysInIt) {
  constexpr double kSpare = 0.1 * kBallRadius;
  constexpr double kSpeed = 1.0;
  for (const double dt : {1e-4, 1e-5}) {
    SCOPED_TRACE(dt);
    BallScene scene{
        .pair = "mu: 0",
        .balls = {{.position = {kSpare, 0, 0}, .velocity = {0, kSpeed, 0}}},
        .bare = "mu: 0",
        .tools = fmt::format(
            "  hole: {{material: bare, shape: {{type: hollow_cylinder, radius: {}}}}}\n",
            kBallRadius + kSpare),
        .gravity = Vec3::Zero(),
        .dt = dt};
    Simulation ball = simulation(scene);
    const double sag = kSpeed * kSpeed * dt * dt / (2.0 * kSpare);
    double largest = 0.0;
    for (int i = 0; i < 1000; ++i) {
      const StepResult& result = ball.step();
      ASSERT_EQ(result.impact.report.status, Status::converged) << result.impact.report.reason;
      largest = std::max(largest, state(ball).position.norm() - kSpare);
      ASSERT_LE(state(ball).velocity.norm(), kSpeed * (1.0 + 1e-9)) << i;
    }
    EXPECT_GT(largest, 0.5 * sag);
    EXPECT_LT(largest, 4.0 * sag);
  }
}

/// The centre of mass stays, and each ball goes as far as the overlaps between it and the middle.
TEST(Projection, ARowComesApartAboutItsMiddle) {
  constexpr int kCount = 9;
  const double overlap = 0.05 * kBallRadius;
  const BallScene scene = row_of(kCount, overlap);
  Simulation row = simulation(scene);
  const StepResult& result = row.step();
  EXPECT_NEAR(result.projected.overlap, 0.05, 1e-12);
  EXPECT_NEAR(result.projected.shift, 0.5 * (kCount - 1) * overlap, kOverlapLeft * kBallRadius);
  EXPECT_EQ(result.projected.work, 0.0);
  const std::vector<BallState> end = states(row, kCount);
  for (int i = 0; i < kCount; ++i) {
    const double x = scene.balls[i].position.x() + (i - 0.5 * (kCount - 1)) * overlap;
    EXPECT_LT((end[i].position - Vec3(x, 0, 0)).norm(), kOverlapLeft * kBallRadius) << i;
    EXPECT_LT(end[i].velocity.norm(), 1e-12) << i;
  }
}

/// Balls that do not overlap are moved where others are pressed into them.
TEST(Projection, NoNewOverlapIsLeft) {
  BallScene scene = row_of(2, 0.1 * kBallRadius);
  for (int i = 0; i < 4; ++i) {
    const double x = scene.balls.back().position.x() + 2.0 * kBallRadius;
    scene.balls.push_back({.position = {x, 0, 0}});
  }
  Simulation row = simulation(scene);
  row.step();
  EXPECT_LT(deepest(row), kOverlapLeft);
  EXPECT_LT(kinetic_energy(row), 1e-20);
}

/// A ball that two others hardly hold beside the line between them is to go 1.2 of its diameter by
/// what is linear, past the centre of the one behind it: it goes as far as it has to, and the other
/// stays in front of it.
TEST(Projection, NoBodyIsMovedThroughAnother) {
  constexpr double kAside = 0.01 * kBallRadius;
  constexpr double kOverlap = 0.012 * kBallRadius;
  const double beside = std::sqrt(std::pow(2.0 * kBallRadius - kOverlap, 2) - kAside * kAside);
  BallScene scene{.tools = "", .gravity = Vec3::Zero()};
  for (const double x : {-beside, beside}) {
    scene.tools += fmt::format(
        "  at{}: {{material: bare, shape: {{type: sphere, radius: {}}}, position: [{}, 0, 0]}}\n",
        x > 0.0 ? "_right" : "_left", kBallRadius, x);
  }
  const double behind = kAside + 2.1 * kBallRadius;  // no contact at first
  scene.balls = {{.position = {0, kAside, 0}}, {.position = {0, behind, 0}}};
  Simulation held = simulation(scene);
  const StepResult& result = held.step();
  constexpr double kRounding = 1e-9;  // of places that the scene has in 17 digits, and of moves
  EXPECT_NEAR(result.projected.overlap, kOverlap / kBallRadius, kRounding);
  EXPECT_LT(deepest(held), kOverlapLeft);
  const std::vector<BallState> end = states(held, 2);
  const double least = std::sqrt(4.0 * kBallRadius * kBallRadius - beside * beside);
  // what is left alone lies along normals that are inclined by a tenth
  EXPECT_NEAR(end[0].position.y(), least, 2.0 * kOverlapLeft / 0.1 * kBallRadius);
  EXPECT_GT(end[1].position.y(), end[0].position.y() + (2.0 - kOverlapLeft) * kBallRadius);
  EXPECT_NEAR(result.projected.shift, end[0].position.y() - kAside, kRounding);
}

/// A corner of a box in a floor: of the least change, in the metric of its inertia, the share
/// r^2 m / I turns it.
TEST(Projection, ABodyIsTurnedAsItsInertiaHasIt) {
  constexpr double kDepth = 5e-5;
  const double angle = 0.3;
  const Vec3 half(0.02, 0.01, 0.03);
  // the corner (half.x, -, -half.z) lowest; edges along y, so that two corners touch alike
  const double reach = half.x() * std::sin(angle) + half.z() * std::cos(angle);
  const double arm = half.x() * std::cos(angle) - half.z() * std::sin(angle);
  Simulation box = simulation(fmt::format(R"(
time: {{dt: 1e-4, end: 1}}
gravity: [0, 0, 0]
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0.3}}]
bodies:
  box:
    material: stone
    shape: {{type: box, size: [0.04, 0.02, 0.06]}}
    orientation: {{axis: [0, 1, 0], angle: {}}}
    place: {{type: points, positions: [[0, 0, {}]]}}
tools: {{floor: {{material: stone, shape: {{type: plane}}}}}}
)",
                                          angle, reach - kDepth));
  const StepResult& result = box.step();
  const double turning = arm * arm / ((half.x() * half.x() + half.z() * half.z()) / 3.0);
  EXPECT_NEAR(result.projected.shift, kDepth / (1.0 + turning), 1e-3 * kDepth);
  EXPECT_LT(deepest(box), kOverlapLeft);
}

/// Between walls that are too near nothing can be done: the ball goes to the middle, and what
/// remains is told.
TEST(Projection, WhatWallsJamRemainsAndIsTold) {
  const double width = 1.96 * kBallRadius;
  BallScene scene{
      .balls = {{.position = {0.99 * kBallRadius, 0, 0}}},
      .tools = fmt::format("  left: {{material: bare, shape: {{type: plane}}, normal: [1, 0, 0]}}\n"
                           "  right: {{material: bare, shape: {{type: plane}}, normal: [-1, 0, 0], "
                           "position: [{}, 0, 0]}}\n",
                           width),
      .gravity = Vec3::Zero()};
  Simulation ball = simulation(scene);
  for (int i = 0; i < 3; ++i) {
    const StepResult& result = ball.step();
    EXPECT_NEAR(result.figures.penetration, 0.02, 0.001);
    EXPECT_LT(kinetic_energy(ball), 1e-20);
  }
}

/// Grains of another program, up to a twentieth of a radius in each other.
TEST(Projection, ABedOfOverlappingGrainsComesToRest) {
  constexpr int kEdge = 4;
  constexpr double kSpacing = 1.96 * kBallRadius;
  BallScene scene{.dt = 1e-4, .solver = "tolerance: 1e-6"};
  for (int i = 0; i < kEdge * kEdge * kEdge; ++i) {
    const Vec3 cell(i % kEdge, i / kEdge % kEdge, i / kEdge / kEdge);
    const Vec3 askew =
        0.005 * kBallRadius * Vec3(std::sin(i), std::sin(2.0 * i), std::sin(3.0 * i));
    scene.balls.push_back({.position = kSpacing * cell + Vec3(0, 0, 0.97 * kBallRadius) + askew});
  }
  Simulation bed = simulation(scene);
  const double before = deepest(bed);
  ASSERT_GT(before, 0.03);
  ASSERT_LT(before, 0.06);
  const StepResult& first = bed.step();
  // along an edge of four, from its middle, and what the neighbours are askew
  EXPECT_LT(first.projected.shift, 4.0 * 0.06 * kBallRadius);
  for (int i = 0; i < 39; ++i) bed.step();
  EXPECT_LT(deepest(bed), 2.0 * kOverlapLeft);
  const double fall = kBallGravity * 40 * scene.dt;
  EXPECT_LT(kinetic_energy(bed), 0.5 * kEdge * kEdge * kEdge * kBallMass * fall * fall);
}

}  // namespace
}  // namespace scree::test::projection_test
