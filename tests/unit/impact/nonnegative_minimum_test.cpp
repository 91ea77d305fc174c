#include "impact/nonnegative_minimum.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <limits>
#include <random>

namespace scree {
namespace {

/// The least objective over all sets of indices whose minimum without signs has no negative entry:
/// the oracle.
double least_by_enumeration(const Eigen::MatrixXd& gram, const Eigen::VectorXd& linear) {
  const Eigen::Index n = linear.size();
  double least = 0.0;  // of the empty set
  for (int set = 1; set < (1 << n); ++set) {
    std::vector<Eigen::Index> in;
    for (Eigen::Index i = 0; i < n; ++i) {
      if ((set >> i) & 1) in.push_back(i);
    }
    const Eigen::VectorXd h = linear(in);
    const Eigen::VectorXd x = -gram(in, in).completeOrthogonalDecomposition().solve(h);
    if ((x.array() < 0.0).any()) continue;
    least = std::min(least, 0.5 * x.dot(gram(in, in) * x) + h.dot(x));
  }
  return least;
}

/// B with unit columns; with @p dependent, every third is the mean of the two before it, or the
/// opposite of one.
Eigen::MatrixXd columns(std::mt19937_64& random, Eigen::Index rows, Eigen::Index n,
                        bool dependent) {
  std::normal_distribution<double> normal;
  Eigen::MatrixXd b(rows, n);
  for (double& entry : b.reshaped()) entry = normal(random);
  for (Eigen::Index k = 2; dependent && k < n; k += 3) {
    b.col(k) =
        k % 2 == 0 ? Eigen::VectorXd(b.col(k - 1) + b.col(k - 2)) : Eigen::VectorXd(-b.col(k - 1));
  }
  b.colwise().normalize();
  return b;
}

TEST(NonnegativeMinimum, IsTheLeastOfAllSetsOfIndices) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Eigen::Index n = 1 + trial % 8;
    const Eigen::MatrixXd b = columns(random, 6, n, trial % 2 == 1);
    const Eigen::MatrixXd gram = b.transpose() * b;
    const Eigen::VectorXd linear = b.transpose() * Eigen::VectorXd(Eigen::VectorXd::Random(6));
    const Eigen::VectorXd x = nonnegative_minimum(gram, linear);
    ASSERT_TRUE((x.array() >= 0.0).all());
    const double objective = 0.5 * x.dot(gram * x) + linear.dot(x);
    EXPECT_NEAR(objective, least_by_enumeration(gram, linear), 1e-12) << "trial " << trial;
  }
}

TEST(NonnegativeMinimum, SatisfiesItsConditionsWhereColumnsAreMoreThanRows) {
  std::mt19937_64 random(2);
  for (const Eigen::Index n : {20, 60, 150}) {
    const Eigen::MatrixXd b = columns(random, 40, n, true);
    const Eigen::MatrixXd gram = b.transpose() * b;
    const Eigen::VectorXd linear = b.transpose() * Eigen::VectorXd(Eigen::VectorXd::Random(40));
    const Eigen::VectorXd x = nonnegative_minimum(gram, linear);
    const Eigen::VectorXd gradient = gram * x + linear;
    // Columns that depend on those within but for rounding have gradients of rounding, over the
    // condition of the set.
    const double rounding = 1e-9 * linear.cwiseAbs().maxCoeff();
    EXPECT_GE(x.minCoeff(), 0.0);
    EXPECT_GE(gradient.minCoeff(), -rounding);
    EXPECT_LE(gradient.cwiseProduct(x).cwiseAbs().maxCoeff(), rounding * x.maxCoeff());
  }
}

/// Columns whose positive hull is the whole space: more of them push than the space has dimensions,
/// and those with x > 0 are independent all the same, so that an orthogonal factorisation of them
/// alone returns x.
TEST(NonnegativeMinimum, PushesWithIndependentColumnsAlone) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 1000; ++trial) {
    const Eigen::Index d = 2 + trial % 39;
    Eigen::MatrixXd b = columns(random, d, 4 * d, false);
    b.col(0) = -b.rightCols(4 * d - 1).rowwise().sum().normalized();
    const Eigen::VectorXd target = columns(random, d, 1, false);
    const Eigen::VectorXd x = nonnegative_minimum(b.transpose() * b, -(b.transpose() * target));
    std::vector<Eigen::Index> pushing;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      if (x[i] > 0.0) pushing.push_back(i);
    }
    const Eigen::MatrixXd within = b(Eigen::all, pushing);
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(within);
    ASSERT_EQ(factors.rank(), within.cols()) << "trial " << trial;
    const Eigen::VectorXd exact = factors.solve(target);
    EXPECT_LT((b * x - target).norm(), 1e-10);  // rounding over the condition of those within
    EXPECT_GE(exact.minCoeff(), 0.0) << "trial " << trial;
  }
}

TEST(NonnegativeMinimum, IsZeroWhereNothingPushes) {
  EXPECT_EQ(nonnegative_minimum(Eigen::MatrixXd::Identity(3, 3), Eigen::Vector3d(1, 0, 2)).norm(),
            0.0);
  EXPECT_EQ(nonnegative_minimum(Eigen::MatrixXd(0, 0), Eigen::VectorXd(0)).size(), 0);
}

}  // namespace
}  // namespace scree
