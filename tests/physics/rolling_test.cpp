// ranks: 1 2, mostly 2
/// Rolling and spinning resistance. Where a ball of radius r rolls on a plane, the moment mu_r N
/// against its turning slows it by a = 5/7 g mu_r/r: m a = F and I a/r = mu_r m g - F r with I =
/// 2/5 m r^2. So it stops after v^2/(2 a) = 7 v^2 r/(10 g mu_r). A spin omega about the normal
/// stops after omega I/(mu_s m g).

#include <gtest/gtest.h>

#include <cmath>

#include "scree/step/energies.hpp"
#include "support/balls.hpp"

namespace scree::test::rolling_test {
namespace {

constexpr double kRolling = 0.004;   // m
constexpr double kSpinning = 0.003;  // m
constexpr const char* kPair = "mu: 0.5, rolling: 0.004, spinning: 0.003";
const Vec3 kOnFloor(0.0, 0.0, kBallRadius);

/// Without slip along x.
BallSpec rolling_ball(double speed) {
  return {.position = kOnFloor, .velocity = {speed, 0, 0}, .spin = {0, speed / kBallRadius, 0}};
}

/// The way of a ball that is @p slower by so much after each step: implicit Euler's sum for v^2/(2
/// a).
double stopping_distance(double speed, double slower, double dt) {
  double way = 0.0;
  for (double v = speed - slower; v > 0.0; v -= slower) way += v * dt;
  return way;
}

TEST(Rolling, ABallStopsWhereTheClosedFormSays) {
  const double speed = 0.5;
  const double deceleration = 5.0 / 7.0 * kBallGravity * kRolling / kBallRadius;
  const double stop = 7.0 * speed * speed * kBallRadius / (10.0 * kBallGravity * kRolling);
  for (const double dt : {4e-3, 1e-3}) {
    Simulation ball = simulation(
        BallScene{.pair = "mu: 0.5, rolling: 0.004", .balls = {rolling_ball(speed)}, .dt = dt});
    run(ball, static_cast<std::int64_t>(1.2 * speed / deceleration / dt));
    const BallState end = state(ball);
    EXPECT_NEAR(end.position.x(), stopping_distance(speed, deceleration * dt, dt), 1e-8);
    // Velocities are those at the ends of steps: half a step's way is missing, and what the last
    // step rounds.
    EXPECT_NEAR(end.position.x(), stop - 0.5 * speed * dt, deceleration * dt * dt);
    EXPECT_LT(end.velocity.norm(), 1e-9);
    EXPECT_LT(end.spin.norm(), 1e-8);
  }
}

TEST(Rolling, ASpinStopsWhenTheClosedFormSays) {
  const double spin = 20.0;
  const double slower = kSpinning * kBallMass * kBallGravity / kBallInertia;  // rad/s^2
  const double dt = 1e-3;
  Simulation ball =
      simulation(BallScene{.pair = kPair, .balls = {{.position = kOnFloor, .spin = {0, 0, spin}}}});
  const auto steps = static_cast<std::int64_t>(spin / slower / dt);
  ASSERT_GT(steps, 100);
  run(ball, steps / 2);
  EXPECT_NEAR(state(ball).spin.z(), spin - slower * ball.time(), 1e-8 * spin);
  run(ball, steps - steps / 2);
  EXPECT_NEAR(state(ball).spin.z(), spin - slower * ball.time(), 1e-8 * spin);
  EXPECT_GT(state(ball).spin.z(), 0.0);
  run(ball, 1);
  EXPECT_LT(state(ball).spin.norm(), 1e-8 * spin);
  EXPECT_LT((state(ball).position - kOnFloor).norm(), 1e-9);
}

/// With slopes of tan = share of mu_r/r: below 1 the ball stays, beyond it rolls at 5/7 g (sin -
/// mu_r/r cos).
TEST(Rolling, HoldsABallOnASlope) {
  for (const double share : {0.5, 0.95, 1.2}) {
    const double angle = std::atan(share * kRolling / kBallRadius);
    const Vec3 gravity = kBallGravity * Vec3(std::sin(angle), 0.0, -std::cos(angle));
    Simulation ball =
        simulation(BallScene{.pair = kPair, .balls = {{.position = kOnFloor}}, .gravity = gravity});
    run(ball, 200);
    const double a =
        5.0 / 7.0 * (gravity.x() + gravity.z() * std::min(kRolling / kBallRadius, std::tan(angle)));
    EXPECT_NEAR(state(ball).velocity.x(), a * ball.time(), 1e-9) << share;
    EXPECT_NEAR(state(ball).spin.y(), a * ball.time() / kBallRadius, 1e-8) << share;
  }
}

/// The floor's wrench is the loss of the ball's angular momentum about its origin, beside
/// the weight's.
TEST(Rolling, TheToolFeelsTheMoments) {
  BallSpec ball = rolling_ball(0.5);
  ball.position += Vec3(0.1, -0.2, 0.0);
  ball.spin += Vec3(3.0, 0.0, 15.0);
  Simulation moving = simulation(BallScene{.pair = kPair, .balls = {ball}});
  const double dt = moving.config().time.dt;
  const Vec3 weight = kBallMass * moving.config().gravity;
  for (int i = 0; i < 50; ++i) {
    const BallState before = state(moving);
    const StepResult& result = moving.step();
    const BallState after = state(moving);
    const Vec3 change = kBallMass * before.position.cross(after.velocity - before.velocity) +
                        kBallInertia * (after.spin - before.spin);
    const Vec3 torque = before.position.cross(weight) - change / dt;
    ASSERT_EQ(result.wrenches.size(), 1u);
    EXPECT_LT((result.wrenches[0].torque - torque).norm(), 1e-8 * kBallMass * kBallGravity);
    const Vec3 arm = result.wrenches[0].torque - before.position.cross(result.wrenches[0].force);
    EXPECT_GT(arm.norm(), 0.5 * kSpinning * kBallMass * kBallGravity);  // there are moments
  }
}

BallScene meeting_balls() {
  return {.pair = kPair,
          .balls = {{.position = {-kBallRadius - 1e-4, 0.01, 0},
                     .velocity = {1, 0.2, 0},
                     .spin = {5, 10, -7}},
                    {.position = {kBallRadius + 1e-4, 0, 0},
                     .velocity = {-0.5, 0, 0.1},
                     .spin = {-9, 8, 3}}},
          .tools = "  far: {material: bare, shape: {type: plane}, position: [0, 0, -1]}\n",
          .gravity = Vec3::Zero()};
}

TEST(Rolling, AnImpactKeepsMomentumAndAngularMomentum) {
  Simulation balls = simulation(meeting_balls());
  const Energies before = energies(balls.comm(), balls.store(), Vec3::Zero());
  const StepResult& result = balls.step();
  ASSERT_EQ(result.figures.closed, 1);
  // About the origin, with the places of the start of the step: what implicit Euler keeps.
  const std::vector<BallState> now = states(balls, 2);
  Vec3 momentum = Vec3::Zero();
  Vec3 angular = Vec3::Zero();
  for (const BallState& ball : now) {
    const Vec3 place = ball.position - balls.config().time.dt * ball.velocity;
    momentum += kBallMass * ball.velocity;
    angular += kBallMass * place.cross(ball.velocity) + kBallInertia * ball.spin;
  }
  EXPECT_LT((momentum - before.momentum).norm(), 1e-13 * kBallMass);
  EXPECT_LT((angular - before.angular_momentum).norm(), 1e-13 * kBallMass);
}

/// Two forces that cancel press one ball upon the other while they roll on each other.
TEST(Rolling, BallsPressedTogetherKeepTheirMomentum) {
  BallScene scene = meeting_balls();
  scene.rest = "forces: {press: {force: [\"x > 0 ? -200 : 200\", 0, 0]}}\n";
  Simulation balls = simulation(scene);
  const Vec3 before = energies(balls.comm(), balls.store(), Vec3::Zero()).momentum;
  for (int i = 0; i < 30; ++i) {
    const StepResult& result = balls.step();
    ASSERT_EQ(result.impact.report.status, Status::converged);
    ASSERT_LT(states(balls, 2)[0].position.x() * states(balls, 2)[1].position.x(), 0.0);
  }
  const Energies after = energies(balls.comm(), balls.store(), Vec3::Zero());
  EXPECT_LT((after.momentum - before).norm(), 1e-12 * kBallMass);
}

/// A row of balls that lean on each other, on all ranks and on one.
TEST(Rolling, IsTheSameOnAllRanks) {
  BallScene scene{.pair = kPair};
  for (int i = 0; i < 8; ++i) {
    scene.balls.push_back({.position = {0.099 * i, 0.003 * (i % 3), kBallRadius + 0.06 * (i % 2)},
                           .velocity = {0.3 - 0.1 * i, 0.05 * i, 0},
                           .spin = {0, 0, 5.0 - i}});
  }
  scene.solver = "tolerance: 1e-11";
  Simulation all = simulation(scene);
  Simulation alone = simulation(scene, MPI_COMM_SELF);
  run(all, 60);
  run(alone, 60);
  const std::vector<BallState> a = states(all, 8);
  const std::vector<BallState> b = states(alone, 8);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_LT((a[i].position - b[i].position).norm(), 1e-8) << i;
    EXPECT_LT((a[i].velocity - b[i].velocity).norm(), 1e-6) << i;
    EXPECT_LT((a[i].spin - b[i].spin).norm(), 1e-5) << i;
  }
}

}  // namespace
}  // namespace scree::test::rolling_test
