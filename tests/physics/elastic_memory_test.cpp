// ranks: 1 2, mostly 2
/// The memory of compliant contacts from step to step: without it, bodies that friction holds would
/// creep.

#include <gtest/gtest.h>

#include <cmath>
#include <variant>

#include "scree/bodies/elasticity.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "step/contact_histories.hpp"
#include "support/balls.hpp"

namespace scree::test::elastic_memory_test {
namespace {

constexpr double kMu = 0.3;
constexpr double kStiffness = 1e5;  // N/m
const double kTangential = tangential_ratio({}, {}) * kStiffness;
const double kWeight = kBallMass * kBallGravity;

/// A ball that cannot turn on a slope of tan = @p share of mu.
BallScene slope(double share) {
  const double angle = std::atan(share * kMu);
  return {.pair = "mu: 0.3, stiffness: 1e5, damping: 0.5",
          .balls = {{.position = {0, 0, kBallRadius - kWeight * std::cos(angle) / kStiffness},
                     .fix = "rotation"}},
          .gravity = kBallGravity * Vec3(std::sin(angle), 0.0, -std::cos(angle)),
          .solver = "tolerance: 1e-13"};
}

/// The state of @p simulation after its contacts forget their forces.
CheckpointContent without_forces(const Simulation& simulation) {
  CheckpointContent content = checkpoint(simulation);
  for (StateGroup& group : content.groups) {
    if (group.name != "contacts") continue;
    for (NumberArray& array : group.arrays) {
      if (array.name != "force") continue;
      for (double& x : std::get<std::vector<double>>(array.values)) x = 0.0;
    }
  }
  return content;
}

/// Its spring swings, and the time step damps it by (1 + dt^2 k_t/m)^(-1/2) = 0.971 a step: 1e-16
/// in 1300 steps.
TEST(ElasticMemory, HoldsABallBelowTheFrictionAngle) {
  for (const double share : {0.3, 0.9}) {
    Simulation ball = simulation(slope(share));
    run(ball, 1300);
    const Vec3 place = state(ball).position;
    for (int i = 0; i < 100; ++i) {
      ball.step();
      EXPECT_LT(state(ball).velocity.norm(), 1e-12);
    }
    EXPECT_LT((state(ball).position - place).norm(), 1e-14);
    const Vec3 weight = kBallMass * ball.config().gravity;
    EXPECT_LT((ball.result().wrenches.at(0).force - weight).norm(), 1e-9 * kWeight);
  }
}

/// Each step then stretches an unstrained spring by what holds the weight: m g sin = k_t dt v. The
/// speed comes near to that by 1/(1 + dt^2 k_t/m) = 0.943 a step: 3e-8 are left of it after 300.
TEST(ElasticMemory, WithoutItABallCreeps) {
  const BallScene scene = slope(0.5);
  const RunConfig config = read_run_config(scene.yaml(), "test.yaml");
  Simulation ball = simulation(scene);
  run(ball, 100);
  const double creep = kBallMass * scene.gravity.x() / (kTangential * scene.dt);
  ASSERT_GT(creep, 0.01);
  CheckpointContent content = without_forces(ball);
  double speed = 0.0;
  for (int i = 0; i < 300; ++i) {
    Simulation without_memory(ball.comm(), config, content);
    without_memory.step();
    speed = state(without_memory).velocity.x();
    content = without_forces(without_memory);
  }
  EXPECT_NEAR(speed, creep, 1e-6 * creep);
}

TEST(ElasticMemory, BeyondTheFrictionAngleABallSlides) {
  const BallScene scene = slope(1.5);
  Simulation ball = simulation(scene);
  run(ball, 200);
  const double before = state(ball).velocity.x();
  run(ball, 100);
  const double a = scene.gravity.x() + kMu * scene.gravity.z();
  EXPECT_NEAR(state(ball).velocity.x() - before, a * 100 * scene.dt, 1e-8);
}

/// Forces are kept as forces: a time step that changes finds the ball as it was, hanging on its
/// spring.
TEST(ElasticMemory, OutlivesAChangeOfTheTimeStep) {
  BallScene scene = slope(0.9);
  Simulation ball = simulation(scene);
  run(ball, 1300);
  const Vec3 place = state(ball).position;
  const Vec3 force = ball.result().wrenches.at(0).force;
  const CheckpointContent content = checkpoint(ball);
  for (const double dt : {3e-3, 2e-4}) {
    scene.dt = dt;
    Simulation other(ball.comm(), read_run_config(scene.yaml(), "test.yaml"), content);
    for (int i = 0; i < 20; ++i) {
      other.step();
      EXPECT_LT(state(other).velocity.norm(), 1e-11) << dt;
      EXPECT_LT((other.result().wrenches.at(0).force - force).norm(), 1e-8 * kWeight) << dt;
    }
    EXPECT_LT((state(other).position - place).norm(), 1e-12);
  }
}

/// A pair that turns as one body takes its force along, about the normal and across it.
TEST(ElasticMemory, ForcesTurnWithThePair) {
  constexpr double kStep = 1e-2;
  const Vec3 spin(0.0, 0.0, 30.0);
  const Quat turn(Eigen::AngleAxisd(kStep * spin.z(), Vec3::UnitZ()));
  for (const Vec3& normal : {Vec3(1, 0, 0), Vec3(0.6, 0.8, 0), Vec3(0, 0, 1), Vec3(0, 0, -1)}) {
    Store store;
    for (std::int64_t id : {0, 1}) {
      Body body;
      body.id = id;
      body.shape = Sphere{kBallRadius};
      body.density = 2600.0;
      body.angular_velocity = spin;
      append_grain(store, body);
    }
    const ContactRecord before{.key = {0, 1, 0, 0}, .force = {3, -1, 2}, .normal = normal};
    Contact contact;
    contact.key = before.key;
    contact.a = 0;
    contact.b = 1;
    contact.gap = -1e-4;
    contact.normal = turn * normal;
    const std::vector<ContactHistory> after =
        histories_of(store, {&contact, 1}, FoundRecords({before}), kStep, 0.0);
    ASSERT_EQ(after.size(), 1u);
    EXPECT_LT((after[0].force - turn * before.force).norm(), 1e-14) << normal.transpose();
  }
}

}  // namespace
}  // namespace scree::test::elastic_memory_test
