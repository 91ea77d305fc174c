#include "scree/impact/energy_space.hpp"

#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "support/impacts.hpp"

namespace scree {
namespace {

/// Balls of three contacts: of two bodies in either order, and of a body with its own image.
ImpactProblem balls_in_any_order() {
  ImpactProblem problem = test::touching({{Vec3(0, 0, 0), 0.5}, {Vec3(0.6, 0, 0.8), 0.5, 3.0}});
  ImpactContact turned = problem.contacts[0];
  std::swap(turned.body[0], turned.body[1]);
  std::swap(turned.rows[0], turned.rows[1]);
  ImpactContact with_itself = problem.contacts[0];
  with_itself.body = {1, 1};
  with_itself.rows[1].leftCols<3>() *= 0.5;  // so that the two parts leave something
  problem.contacts.push_back(turned);
  problem.contacts.push_back(with_itself);
  return problem;
}

TEST(EnergySpace, HasColumnsOfBodiesInAnyOrder) {
  const ImpactProblem problem = balls_in_any_order();
  const EnergySpace space = energy_space(problem);
  for (Eigen::Index i = 0; i < space.normals.cols(); ++i) {
    const ImpactContact& contact = problem.contacts[static_cast<std::size_t>(i)];
    Eigen::VectorXd column = Eigen::VectorXd::Zero(12);
    for (std::size_t side = 0; side < 2; ++side) {
      const auto body = static_cast<std::size_t>(contact.body[side]);
      const Vec6 root = problem.bodies[body].inverse_mass.diagonal().cwiseSqrt();
      column.segment<6>(6 * static_cast<Eigen::Index>(body)) +=
          space.scale[i] * root.cwiseProduct(contact.rows[side].row(0).transpose());
    }
    // rounding of 12 entries up to 1, and those below 1e-15 that are left out
    EXPECT_LT((Eigen::VectorXd(space.normals.col(i)) - column).norm(), 1e-14) << i;
  }
}

/// A lever arm that is zero but for rounding gives no entry.
TEST(EnergySpace, OfBallsHasNoRowsOfTheirSpins) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (int trial = 0; trial < 100; ++trial) {
    const Vec3 n = Vec3(unit(random), unit(random), unit(random)).normalized();
    const EnergySpace space =
        energy_space(test::touching({{Vec3::Zero(), 0.5}, {Vec3(n * (1.0 - 1e-10)), 0.5}}));
    ASSERT_EQ(space.normals.cols(), 1);
    EXPECT_LE(space.normals.nonZeros(), 6);
    EXPECT_NEAR(space.normals.col(0).norm(), 1.0, 1e-15);  // rounding of a square root near 1
  }
}

TEST(EnergySpace, HasTheGramMatrixOfDenseAlgebra) {
  std::mt19937_64 random(4);
  for (int trial = 0; trial < 20; ++trial) {
    const ImpactProblem problem = test::random_impact(random, 5 + random() % 60, trial % 4 == 0);
    const SparseColumns a = energy_space(problem).normals;
    const Eigen::MatrixXd dense = Eigen::MatrixXd(a).transpose() * Eigen::MatrixXd(a);
    // entries are sums of at most 12 products of numbers up to 1
    EXPECT_LT((Gram(a).dense() - dense).cwiseAbs().maxCoeff(), 12 * 2.3e-16);
  }
}

}  // namespace
}  // namespace scree
