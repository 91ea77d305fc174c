#include "impact/inelastic_steps.hpp"

#include <gtest/gtest.h>

#include <random>

#include "impact/nonnegative_minimum.hpp"
#include "support/impacts.hpp"

namespace scree {
namespace {

/// Steps from zero impulses lead to the velocities of dense algebra, up to what they leave, 1e-10
/// of the approach, over the least singular value of the columns (0.036 and more).
void expect_exact(const ImpactProblem& problem) {
  const EnergySpace space = energy_space(problem);
  const Eigen::VectorXd speeds = space.normals.transpose() * space.velocity + space.offset;
  const auto n = speeds.size();
  const double approach = speeds.cwiseMin(0.0).norm();
  const auto [sizes, settled] =
      solve_by_steps(space, speeds, 1e-10 * approach, SpeedsLeft({}, 1e-13 * approach, n),
                     Eigen::VectorXd::Zero(n));
  EXPECT_TRUE(settled);
  const Eigen::VectorXd exact = nonnegative_minimum(space.gram.dense(), speeds);
  EXPECT_GE(sizes.minCoeff(), 0.0);
  EXPECT_LE((space.normals * (sizes - exact)).norm(), 1e-10 / 0.036 * space.velocity.norm());
}

/// Balls side by side and one on another, thrown at a floor: no contact turns a body.
ImpactProblem bed_of_balls() {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  std::vector<test::Ball> balls;
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < 5; ++i) {
      const Vec3 velocity(unit(random), unit(random), unit(random) - 1.0);
      balls.push_back({Vec3(2.0 * i, 0, 2.0 * k), 1.0, 1.5 + unit(random), velocity});
    }
  }
  return test::touching(balls, {{Vec3(0, 0, -1), Vec3::UnitZ()}});
}

TEST(InelasticSteps, OfBallsAreExact) {
  expect_exact(bed_of_balls());
}

TEST(InelasticSteps, OfBallsBesideABodyThatTurnsAreExact) {
  ImpactProblem problem = bed_of_balls();
  ImpactContact& floor = problem.contacts.front();
  ASSERT_LT(floor.body[1], 0);
  floor.rows[0](0, 4) = 0.7;
  expect_exact(problem);
}

TEST(InelasticSteps, ThatAreToLeaveLessThanNothingAreNotSettled) {
  const EnergySpace space = energy_space(bed_of_balls());
  const Eigen::VectorXd speeds = space.normals.transpose() * space.velocity + space.offset;
  const auto n = speeds.size();
  EXPECT_FALSE(solve_by_steps(space, speeds, -1.0, SpeedsLeft({}, 0.0, n), Eigen::VectorXd::Zero(n))
                   .settled);
}

/// Among bodies of all kinds one is held, one contact joins a body with itself, and one does
/// nothing.
TEST(InelasticSteps, OfContactsOfAllKindsAreExact) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 5; ++trial) {
    ImpactProblem problem = test::random_impact(random, 20, false);
    problem.bodies.front().inverse_mass.setZero();
    problem.bodies.front().velocity.setZero();
    problem.contacts[1].body[1] = problem.contacts[1].body[0];
    problem.contacts[2].rows = {ImpactRows::Zero(), ImpactRows::Zero()};
    expect_exact(problem);
  }
}

}  // namespace
}  // namespace scree
