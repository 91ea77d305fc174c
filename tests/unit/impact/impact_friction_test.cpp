#include "impact/impact_friction.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "support/impacts.hpp"

namespace scree {
namespace {

/// The least of f^T D f / 2 + b . f over points of the disc, evenly: the oracle.
double least_on_grid(const Eigen::Matrix2d& d, const Eigen::Vector2d& b, double radius) {
  double least = 0.0;
  for (int i = 0; i < 4000; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / 4000.0;
    for (int k = 1; k <= 200; ++k) {
      const Eigen::Vector2d f =
          radius * k / 200.0 * Eigen::Vector2d(std::cos(angle), std::sin(angle));
      least = std::min(least, 0.5 * f.dot(d * f) + b.dot(f));
    }
  }
  return least;
}

/// A problem's friction and the velocities after it.
struct Rubbed {
  Rubbed(const ImpactProblem& problem, const Eigen::VectorXd& normal) {
    const EnergySpace space = energy_space(problem);
    Eigen::VectorXd y = space.velocity;
    outcome = apply_friction(problem, space, normal, y);
    velocity = to_velocities(space, y);
  }
  FrictionOutcome outcome;
  ImpactVelocities velocity;
};

TEST(ImpactFriction, OfOneContactIsTheMinimumOnItsDisc) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (int trial = 0; trial < 50; ++trial) {
    Eigen::Matrix2d root;
    root << unit(random), unit(random), unit(random), unit(random);
    const Eigen::Matrix2d d = root * root.transpose();
    const Eigen::Vector2d b = root * Eigen::Vector2d(unit(random), unit(random));
    const double radius = std::pow(10.0, unit(random));
    const Eigen::Vector2d f = DiscMinimum(d)(b, radius);
    ASSERT_LE(f.norm(), radius * (1.0 + 1e-14));
    const double reached = 0.5 * f.dot(d * f) + b.dot(f);
    const double grid = least_on_grid(d, b, radius);
    // The grid's points are radius/200 apart, over which the objective changes by less than its
    // slope.
    const double slack = radius / 200.0 * (b.norm() + d.norm() * radius);
    EXPECT_LE(reached, grid + 1e-12);
    EXPECT_GE(reached, grid - slack);
  }
}

/// Balls have the point of the disc against b, no further than where nothing slides.
TEST(ImpactFriction, OfARoundContactIsAgainstTheSliding) {
  const Eigen::Vector2d b(3.0, -4.0);
  for (const double d : {0.1, 2.0, 50.0}) {
    for (const double rounding : {0.0, 1e-16, 1e-13}) {  // the last is no more a round one
      Eigen::Matrix2d matrix = d * Eigen::Matrix2d::Identity();
      matrix(0, 0) *= 1.0 + rounding;
      const Eigen::Vector2d expected = -b / 5.0 * std::min(5.0 / d, 0.7);
      // D is off by 1e-13 of itself at most, and the point by as much of 0.7
      EXPECT_LT((DiscMinimum(matrix)(b, 0.7) - expected).norm(), 1e-12);
    }
  }
  EXPECT_EQ(DiscMinimum(Eigen::Matrix2d::Identity())(Eigen::Vector2d::Zero(), 1.0).norm(), 0.0);
}

TEST(ImpactFriction, OfWhatCannotSlideIsNone) {
  EXPECT_EQ(DiscMinimum(Eigen::Matrix2d::Zero())(Eigen::Vector2d::Zero(), 1.0).norm(), 0.0);
  const Eigen::Matrix2d one = Eigen::Vector2d(0.0, 2.0).asDiagonal();
  EXPECT_LT((DiscMinimum(one)(Eigen::Vector2d(0, -1), 1.0) - Eigen::Vector2d(0, 0.5)).norm(),
            1e-15);
}

/// A ball that hits the ground under slip: the impulse is mu times the normal one, against the
/// slip, while that does not stop it, and 2/7 m u where it does (a ball of moment 2/5 m r^2).
TEST(ImpactFriction, OfABallOnTheGroundSlidesOrRolls) {
  const double mass = 3.0;
  const double slip = 2.0;
  for (const double mu : {0.05, 0.1, 0.5, 2.0}) {
    ImpactProblem ball = test::touching({{Vec3(0, 0, 0.5), 0.5, mass, Vec3(slip, 0, 0)}},
                                        {{Vec3::Zero(), Vec3::UnitZ()}});
    ball.contacts[0].friction = mu;
    const double normal = 4.0;  // N s
    const Rubbed rubbed(ball, Eigen::VectorXd::Constant(1, normal));
    const auto& [outcome, velocity] = rubbed;
    const double impulse = std::min(mu * normal, 2.0 / 7.0 * mass * slip);
    EXPECT_NEAR(velocity[0][0], slip - impulse / mass, 1e-14);
    EXPECT_NEAR(outcome.impulse[0].norm(), impulse, 1e-13);
    const double slip_after = slip - 3.5 * impulse / mass;
    EXPECT_NEAR(contact_velocity(ball.contacts[0], velocity).tail<2>().norm(), slip_after, 1e-13);
    EXPECT_NEAR(outcome.dissipated, impulse * 0.5 * (slip + slip_after), 1e-13);
  }
}

/// Many contacts at once: dissipates exactly what it says, never gives energy, stays within its
/// discs, and no small change of one impulse within its disc would dissipate more (the minimum of a
/// convex function).
TEST(ImpactFriction, OfManyContactsDissipatesTheMostAndEnds) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (int trial = 0; trial < 100; ++trial) {
    ImpactProblem problem = test::random_impact(random, 2 + random() % 40, false);
    Eigen::VectorXd normal(static_cast<Eigen::Index>(problem.contacts.size()));
    for (Eigen::Index i = 0; i < normal.size(); ++i) {
      problem.contacts[static_cast<std::size_t>(i)].friction = unit(random);
      normal[i] = unit(random) < 0.3 ? 0.0 : unit(random);
    }
    const double before = test::energy_of(problem, velocities_of(problem));
    const Rubbed rubbed(problem, normal);
    const auto& [outcome, velocity] = rubbed;
    EXPECT_LT(outcome.sweeps, 1000);  // a hundred at most here; the proof allows 1e8
    EXPECT_GE(outcome.dissipated, 0.0);
    EXPECT_NEAR(before - test::energy_of(problem, velocity), outcome.dissipated, 1e-12 * before);
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
      const double radius = problem.contacts[i].friction * normal[static_cast<Eigen::Index>(i)];
      ASSERT_LE(outcome.impulse[i].norm(), radius * (1.0 + 1e-12));
      const Eigen::Vector2d u = contact_velocity(problem.contacts[i], velocity).tail<2>();
      // Against the slip on the edge of the disc, or no slip within: f = P(f - u) to the last
      // sweep's share.
      Eigen::Vector2d moved = outcome.impulse[i] - u;
      if (moved.norm() > radius) moved *= radius / moved.norm();
      EXPECT_LT((moved - outcome.impulse[i]).norm(), 2e-3) << "trial " << trial;
    }
  }
}

}  // namespace
}  // namespace scree
