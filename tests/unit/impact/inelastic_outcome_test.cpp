#include "impact/inelastic_outcome.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "impact/nonnegative_minimum.hpp"
#include "scree/impact/resolve_impacts.hpp"
#include "support/impacts.hpp"

namespace scree {
namespace {

/// The complementarity of the inelastic outcome: no approach, impulses that push, none where the
/// contact opens.
TEST(InelasticImpulses, AreComplementaryToTheOpening) {
  std::mt19937_64 random(8);
  for (int trial = 0; trial < 100; ++trial) {
    const ImpactProblem problem = test::random_impact(random, 2 + random() % 60, trial % 5 == 0);
    const std::vector<double> impulse = inelastic_impulses(problem);
    ImpactVelocities velocity = velocities_of(problem);
    for (std::size_t i = 0; i < impulse.size(); ++i) {
      ASSERT_GE(impulse[i], 0.0);
      add_impulse(problem, problem.contacts[i], Vec3(impulse[i], 0, 0), velocity);
    }
    for (std::size_t i = 0; i < impulse.size(); ++i) {
      const double u = contact_velocity(problem.contacts[i], velocity)[0];
      EXPECT_GE(u, -1e-10);
      EXPECT_LT(u * impulse[i], 1e-10);
    }
  }
}

/// More contacts than dense algebra takes: the same velocities up to the tolerance, at no more
/// energy than at the start, and the least that is in reach.
TEST(InelasticImpulses, OfManyContactsAreThoseOfDenseAlgebra) {
  std::mt19937_64 random(12);
  int looser = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const ImpactProblem problem = test::random_impact(random, 150 + random() % 100, trial % 5 == 0);
    const EnergySpace space = energy_space(problem);
    const Eigen::VectorXd speeds = space.normals.transpose() * space.velocity;
    const Eigen::VectorXd exact =
        space.velocity +
        space.normals * nonnegative_minimum(space.normals.transpose() * space.normals, speeds);
    const Eigen::VectorXd sizes = inelastic_outcome(space, space.velocity).sizes;
    const Eigen::VectorXd swept = space.velocity + space.normals * sizes;
    EXPECT_GE(sizes.minCoeff(), 0.0);
    EXPECT_LE(swept.squaredNorm(), space.velocity.squaredNorm());
    EXPECT_NEAR(swept.squaredNorm(), exact.squaredNorm(), 1e-4 * space.velocity.squaredNorm());
    EXPECT_GE((space.normals.transpose() * swept).minCoeff(), -5e-4 * speeds.cwiseMin(0.0).norm());

    // what rests is left, and as much over all: of the energy what inelastic_outcome.cpp says of
    // kMostLeft, and of an approach as many times it as above
    const double rests = 1e-3 * speeds.cwiseMin(0.0).norm();
    const Eigen::VectorXd resting = Eigen::VectorXd::Constant(
        speeds.size(), rests / std::sqrt(static_cast<double>(speeds.size())));
    const Eigen::VectorXd loose =
        space.velocity + space.normals * inelastic_outcome(space, space.velocity, resting).sizes;
    EXPECT_LE(loose.squaredNorm(), space.velocity.squaredNorm());
    EXPECT_NEAR(loose.squaredNorm(), exact.squaredNorm(), 2e-3 * space.velocity.squaredNorm());
    EXPECT_GE((space.normals.transpose() * loose).minCoeff(), -5.0 * rests);
    looser += loose.squaredNorm() > swept.squaredNorm() ? 1 : 0;
  }
  EXPECT_GT(looser, 0);
}

/// A heavy ball on a column of balls, along which sweeps tell of the floor by one contact each:
/// gradient steps end it. Column and ball come to rest, up to what is left of the speeds of
/// contacts over the least singular value of the columns (1.7e-3 of 151, 1.2e-3 of 301).
TEST(InelasticImpulses, OfADeepColumnReachItsFloor) {
  for (const int n : {150, 300}) {
    std::vector<test::Ball> balls;
    for (int k = 0; k < n; ++k) balls.push_back({Vec3(0, 0, 2.0 * k), 1.0});
    balls.push_back({Vec3(0, 0, 2.0 * n), 1.0, 1000.0, Vec3(0, 0, -5)});
    const ImpactProblem problem = test::touching(balls, {{Vec3(0, 0, -1), Vec3::UnitZ()}});
    ASSERT_EQ(problem.contacts.size(), static_cast<std::size_t>(n + 1));
    const EnergySpace space = energy_space(problem);
    const double approach = (space.normals.transpose() * space.velocity).cwiseMin(0.0).norm();
    const auto expect_at_rest = [&](double share, const Eigen::VectorXd& resting) {
      const Eigen::VectorXd sizes = inelastic_outcome(space, space.velocity, resting).sizes;
      const Eigen::VectorXd left = space.velocity + space.normals * sizes;
      EXPECT_LT(left.norm(), share * approach / (n == 150 ? 1.7e-3 : 1.2e-3)) << n << " " << share;
    };
    expect_at_rest(1e-4, {});
    const double each = 1e-3 * approach / std::sqrt(static_cast<double>(n + 1));
    expect_at_rest(1e-3, Eigen::VectorXd::Constant(n + 1, each));
  }
}

}  // namespace
}  // namespace scree
