// ranks: 1 2, mostly 2
/// Cohesion: a constant pull between two that have touched, up to the gap at which it ruptures.

#include <gtest/gtest.h>

#include <cmath>
#include <variant>

#include "support/balls.hpp"

namespace scree::test::cohesion_test {
namespace {

constexpr double kRupture = 0.004;  // m: four times what detection looks at around a ball at rest
const double kWeight = kBallMass * kBallGravity;
constexpr const char* kCeiling =
    "  ceiling: {material: stone, shape: {type: plane}, normal: [0, 0, -1]}\n";

std::string cohesive(double force) {
  return fmt::format("mu: 0.3, cohesion: {:.17g}, rupture_distance: {}", force, kRupture);
}

/// A ball below a ceiling with the @p gap, 0 or less where it touches.
BallScene hanging_ball(double force, double gap) {
  return {.pair = cohesive(force),
          .balls = {{.position = {0, 0, -kBallRadius - gap}}},
          .tools = kCeiling};
}

/// Overlaps so little that it touches for certain.
constexpr double kTouching = -1e-12;

TEST(Cohesion, BearsABallUpToItsPull) {
  for (const char* stiffness : {"", ", stiffness: 1e5, damping: 0.5"}) {
    BallScene scene = hanging_ball(1.05 * kWeight, kTouching);
    scene.pair += stiffness;
    Simulation ball = simulation(scene);
    run(ball, 300);
    EXPECT_LT(state(ball).velocity.norm(), 1e-9);
    // It is pressed on by what the pull exceeds its weight.
    const double overlap = *stiffness == '\0' ? 0.0 : 0.05 * kWeight / 1e5;
    EXPECT_NEAR(state(ball).position.z(), -kBallRadius + overlap, 1e-10);
    EXPECT_LT((ball.result().wrenches.at(0).force - Vec3(0, 0, -kWeight)).norm(), 1e-8 * kWeight);
  }
}

/// A wet column hangs up to the height that cohesion allows: the contact at the ceiling bears n m g
/// of at most the pull.
TEST(Cohesion, HoldsAColumnUpToItsHeight) {
  constexpr int kHeld = 6;
  for (const int n : {kHeld, kHeld + 1}) {
    BallScene scene{.pair = cohesive((kHeld + 0.5) * kWeight), .balls = {}, .tools = kCeiling};
    for (int i = 0; i < n; ++i) {
      const double overlaps = (i + 1) * kTouching;
      scene.balls.push_back({.position = {0, 0, -(1 + 2 * i) * kBallRadius - overlaps}});
    }
    Simulation column = simulation(scene);
    run(column, 200);
    const std::vector<BallState> balls = states(column, n);
    if (n == kHeld) {
      for (const BallState& ball : balls) EXPECT_LT(ball.velocity.norm(), 1e-6);
      EXPECT_NEAR(column.result().wrenches.at(0).force.z(), -n * kWeight, 1e-4 * n * kWeight);
    } else {
      // It falls whole, from rest, held back by the pull at the ceiling for the rupture distance
      // alone.
      EXPECT_LT(balls.front().velocity.z(), -0.5 * kBallGravity * 0.2);
    }
  }
}

/// A ball that cannot turn slides on a floor that pulls it. N is 1/m times the identity, so that
/// the impulses of a step are m P_K(-q), with q the free velocity and gap/dt along the normal: by
/// the associated law sliding opens the gap, by mu |v_t| dt, up to where the pull ruptures and the
/// ball falls back without it. By the exact law weight and pull together brake it: a = mu (g +
/// F/m).
TEST(Cohesion, SlidesByEitherLaw) {
  constexpr double kMu = 0.3;
  const double pull = 0.5 * kWeight;
  for (const bool exact : {false, true}) {
    BallScene scene{.pair = cohesive(pull),
                    .balls = {{.position = {0, 0, kBallRadius + kTouching},
                               .velocity = {10.0, 0, 0},
                               .fix = "rotation"}}};
    scene.solver = fmt::format("tolerance: 1e-12, friction: {}", exact ? "coulomb" : "associated");
    Simulation ball = simulation(scene);
    double x = 10.0;
    double z = 0.0;
    double gap = kTouching;
    bool pulls = true;
    for (int i = 0; i < 60; ++i) {
      pulls = pulls && gap <= kRupture;
      z -= scene.dt * (kBallGravity + (pulls ? pull / kBallMass : 0.0));
      double impulse = 0.0;  // over the mass, along the normal
      if (exact) {
        impulse = std::max(-z - std::max(gap, 0.0) / scene.dt, 0.0);
      } else {
        impulse = std::max((kMu * x - z - std::max(gap, 0.0) / scene.dt) / (1.0 + kMu * kMu), 0.0);
      }
      z += impulse;
      x -= kMu * impulse;
      gap += scene.dt * z;
      const StepResult& result = ball.step();
      ASSERT_EQ(result.impact.report.status, Status::converged);
      EXPECT_NEAR(state(ball).velocity.x(), x, 1e-8) << exact << " " << i;
      EXPECT_NEAR(state(ball).velocity.z(), z, 1e-8) << exact << " " << i;
    }
    if (exact) {
      EXPECT_NEAR(x, 10.0 - kMu * 1.5 * kBallGravity * 60 * scene.dt, 1e-8);
    } else {
      EXPECT_FALSE(pulls);  // 0.3 of 10 m/s open 3 mm in the first step
    }
  }
}

TEST(Cohesion, LetsAHeavierBallGoAndRuptures) {
  const double pull = 0.9 * kWeight;
  Simulation ball = simulation(hanging_ball(pull, kTouching));
  const double dt = ball.config().time.dt;
  double z = -kBallRadius - kTouching;
  double v = 0.0;
  bool pulls = true;
  int steps = 0;
  for (int i = 0; i < 120; ++i) {
    pulls = pulls && -z - kBallRadius <= kRupture;
    v += dt * ((pulls ? pull / kBallMass : 0.0) - kBallGravity);
    z += dt * v;
    steps += pulls ? 1 : 0;
    const StepResult& result = ball.step();
    EXPECT_NEAR(result.wrenches.at(0).force.z(), pulls ? -pull : 0.0, 1e-8 * pull) << i;
  }
  EXPECT_NEAR(state(ball).position.z(), z, 1e-9);
  // z = a t^2/2 with a = 0.1 g, but for the last step's way
  EXPECT_NEAR(steps * dt, std::sqrt(2.0 * kRupture / (0.1 * kBallGravity)), dt);
}

TEST(Cohesion, RupturesWhereAPlateLeaves) {
  constexpr double kSpeed = 0.06;
  const double pull = 0.8 * kWeight;  // so that the ball stays on the floor
  Simulation ball = simulation(BallScene{
      .pair = cohesive(pull),
      .balls = {{.position = {0, 0, kBallRadius}}},
      .tools = fmt::format("  floor: {{material: bare, shape: {{type: plane}}}}\n"
                           "  plate: {{material: stone, shape: {{type: plane}}, position: [0, 0, "
                           "{:.17g}], normal: [0, 0, -1], motion: {{type: velocity, velocity: [0, "
                           "0, {}]}}}}\n",
                           2.0 * kBallRadius + kTouching, kSpeed)});
  const double dt = ball.config().time.dt;
  for (int i = 0; i < 120; ++i) {
    const StepResult& result = ball.step();
    const double gap = kTouching + kSpeed * dt * i;  // at the start of the step
    EXPECT_NEAR(result.wrenches.at(1).force.z(), gap <= kRupture ? -pull : 0.0, 1e-8 * pull) << i;
    EXPECT_NEAR(result.wrenches.at(0).force.z(), gap <= kRupture ? pull - kWeight : -kWeight,
                1e-8 * kWeight);
  }
  ASSERT_GT(kSpeed * dt * 120, 1.5 * kRupture);
}

/// Beside one that hangs from the same plate, so that methods whose impulses never quite vanish
/// have something to solve.
TEST(Cohesion, APairThatNeverTouchedDoesNotPull) {
  for (const char* method : {"auto", "nsgs", "pac", "apgd", "ipm"}) {
    const double gap = 0.5 * kRupture;
    BallScene scene{
        .pair = cohesive(2.0 * kWeight),
        .balls = {{.position = {0, 0, kBallRadius}},
                  {.position = {0.3, 0, kBallRadius + gap - kTouching}}},
        .tools = fmt::format("  floor: {{material: bare, shape: {{type: plane}}}}\n"
                             "  plate: {{material: stone, shape: {{type: plane}}, position: [0, 0, "
                             "{:.17g}], normal: [0, 0, -1]}}\n",
                             2.0 * kBallRadius + gap)};
    scene.solver = fmt::format("method: {}, tolerance: 1e-8", method);
    Simulation balls = simulation(scene);
    run(balls, 50);
    EXPECT_NEAR(states(balls, 2)[0].position.z(), kBallRadius, 1e-7) << method;
    EXPECT_NEAR(balls.result().wrenches.at(0).force.z(), -kWeight, 1e-6 * kWeight) << method;
    EXPECT_NEAR(balls.result().wrenches.at(1).force.z(), -kWeight, 1e-6 * kWeight) << method;
  }
}

/// Two balls that fly apart in free space: momentum is kept, and the pull takes away what its way
/// is worth.
TEST(Cohesion, PullsGrainsWithinTheRuptureDistance) {
  const double pull = 5.0;
  const double speed = 0.2;
  BallScene scene{
      .pair = cohesive(pull),
      .balls = {{.position = {-kBallRadius, 0, 0}, .velocity = {-speed, 0, 0}},
                {.position = {kBallRadius + kTouching, 0, 0}, .velocity = {speed, 0, 0}}},
      .tools = "  far: {material: bare, shape: {type: plane}, position: [0, 0, -1]}\n",
      .gravity = Vec3::Zero(),
      .dt = 1e-4};
  Simulation balls = simulation(scene);
  run(balls, 200);
  const std::vector<BallState> end = states(balls, 2);
  EXPECT_LT((end[0].velocity + end[1].velocity).norm(), 1e-12);
  // m v^2 = m v0^2 - pull * rupture distance, for both; the way is whole steps.
  const double left = speed * speed - pull * kRupture / kBallMass;
  const double step = pull * 2.0 * speed * 1e-4 / kBallMass;
  EXPECT_NEAR(end[1].velocity.x() * end[1].velocity.x(), left, 2.0 * step);
  ASSERT_GT(speed * speed - left, 10.0 * step);
}

/// Within the rupture distance it is the past that tells whether a pair pulls.
TEST(Cohesion, TouchedIsState) {
  const BallScene scene = hanging_ball(0.9 * kWeight, kTouching);
  Simulation ball = simulation(scene);
  run(ball, 30);
  ASSERT_GT(-state(ball).position.z() - kBallRadius, 0.1 * kRupture);
  ASSERT_LT(-state(ball).position.z() - kBallRadius, 0.5 * kRupture);
  const RunConfig config = read_run_config(scene.yaml(), "test.yaml");
  CheckpointContent content = checkpoint(ball);
  Simulation again(ball.comm(), config, content);
  for (StateGroup& group : content.groups) {
    if (group.name != "contacts") continue;
    for (NumberArray& array : group.arrays) {
      std::visit([](auto& values) { values.clear(); }, array.values);
    }
  }
  Simulation without_memory(ball.comm(), config, content);
  ball.step();
  again.step();
  without_memory.step();
  EXPECT_NEAR(ball.result().wrenches.at(0).force.z(), -0.9 * kWeight, 1e-8 * kWeight);
  EXPECT_NEAR(again.result().wrenches.at(0).force.z(), -0.9 * kWeight, 1e-8 * kWeight);
  EXPECT_EQ(without_memory.result().wrenches.at(0).force.z(), 0.0);
}

/// A clump thrown at the floor: the same on all ranks as on one.
TEST(Cohesion, IsTheSameOnAllRanks) {
  BallScene scene{.pair = cohesive(20.0), .solver = "tolerance: 1e-11"};
  for (int i = 0; i < 8; ++i) {
    scene.balls.push_back({.position = {0.1 * (i % 2), 0.1 * (i / 2 % 2), 0.06 + 0.1 * (i / 4)},
                           .velocity = {0.5, 0.3 * (i % 3), -1.0}});
  }
  Simulation all = simulation(scene);
  Simulation alone = simulation(scene, MPI_COMM_SELF);
  run(all, 40);
  run(alone, 40);
  const std::vector<BallState> a = states(all, 8);
  const std::vector<BallState> b = states(alone, 8);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_LT((a[i].position - b[i].position).norm(), 1e-8) << i;
    EXPECT_LT((a[i].velocity - b[i].velocity).norm(), 1e-6) << i;
  }
}

}  // namespace
}  // namespace scree::test::cohesion_test
