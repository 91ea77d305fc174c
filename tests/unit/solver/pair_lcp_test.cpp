#include "solver/gradient/pair_lcp.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <array>
#include <random>
#include <vector>

#include "support/dense_matrices.hpp"

namespace scree {
namespace {

/// J J^T of @p n rows of a pair that differ by @p apart.
Eigen::MatrixXd block_of_rows(int n, double apart, std::mt19937& random) {
  std::normal_distribution<double> normal;
  const auto vector = [&] {
    return Eigen::VectorXd::NullaryExpr(12, [&] { return normal(random); });
  };
  const Eigen::VectorXd one = vector();
  Eigen::MatrixXd rows(n, 12);
  for (int i = 0; i < n; ++i) rows.row(i) = one + apart * vector();
  return rows * rows.transpose();
}

/// A pair behind a row of another's.
struct LcpOfPair {
  explicit LcpOfPair(const Eigen::MatrixXd& block)
      : size(block.rows()), d(block.data(), block.data() + block.size()), factor(d.size()) {}
  Eigen::Index size;
  std::vector<double> d;
  std::vector<double> factor;
  PairLcp lcp{1, static_cast<std::size_t>(size), d.data(), factor.data()};

  /// D as it is used.
  Eigen::MatrixXd block() const { return Eigen::Map<const Eigen::MatrixXd>(d.data(), size, size); }
  Eigen::VectorXd of(const std::vector<double>& all) const {
    return Eigen::Map<const Eigen::VectorXd>(all.data() + 1, size);
  }
};

std::vector<double> rows_at_random(std::size_t n, std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::vector<double> values(n);
  for (double& value : values) value = normal(random);
  return values;
}

/// The law at x: no row pulls, none closes, none presses and opens. Rounding is that of D x, whose
/// terms cancel where rows are nearly the same: 1e-12 is some thousand of it, for sixteen rows.
void expect_law(const Eigen::MatrixXd& d, const Eigen::VectorXd& q, const Eigen::VectorXd& x) {
  const Eigen::VectorXd velocity = d * x + q;
  const double largest = d.cwiseAbs().maxCoeff() * x.lpNorm<1>() + q.lpNorm<Eigen::Infinity>();
  EXPECT_GE(x.minCoeff(), 0.0);
  EXPECT_GE(velocity.minCoeff(), -1e-12 * largest);
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    if (x[i] <= 1e-12 * x.maxCoeff()) continue;
    EXPECT_NEAR(velocity[i], 0.0, 1e-12 * largest) << i;
  }
}

TEST(PairLcp, ObeysTheLaw) {
  std::mt19937 random(1);
  for (const int n : {2, 3, 4, 7, 8}) {
    for (const double apart : {1.0, 1e-2, 1e-4, 0.0}) {
      for (int k = 0; k < 50; ++k) {
        LcpOfPair pair(block_of_rows(n, apart, random));
        const Eigen::MatrixXd d = pair.block();
        std::vector<double> x(n + 1, 7.0);
        for (int step = 0; step < 3; ++step) {  // from the rows that pressed before
          const std::vector<double> y = rows_at_random(n + 1, random);
          const std::vector<double> u = rows_at_random(n + 1, random);
          pair.lcp.take(y, u, 0.5, x);
          expect_law(d, 0.5 * pair.of(u) - d * pair.of(y), pair.of(x));
          EXPECT_EQ(x[0], 7.0);
        }
      }
    }
  }
}

TEST(PairLcp, MeasuresInTheMetricOfTheBlock) {
  std::mt19937 random(2);
  const Eigen::MatrixXd given = block_of_rows(4, 0.3, random);
  LcpOfPair pair(given);
  const Eigen::MatrixXd d = pair.block();
  EXPECT_LE((d - given).norm(), 1e-5 * given.norm());
  const std::vector<double> a = rows_at_random(5, random);
  const std::vector<double> b = rows_at_random(5, random);
  std::array<double, 2> sums{1.0, 2.0};
  pair.lcp.add_dots(a, b, sums);
  // 1e-14: some fifty roundings of the largest term that there can be
  const double rounding = 1e-14 * (2.0 + d.trace() * pair.of(a).norm());
  EXPECT_NEAR(sums[0], 1.0 + pair.of(a).dot(d * pair.of(a)), rounding * pair.of(a).norm());
  EXPECT_NEAR(sums[1], 2.0 + pair.of(a).dot(d * pair.of(b)), rounding * pair.of(b).norm());
  std::vector<double> x(5, 7.0);
  pair.lcp.invert(b, x);
  const Eigen::VectorXd inverse = test::solution(d, pair.of(b)).value();
  EXPECT_NEAR((pair.of(x) - inverse).norm(), 0.0, 1e-10 * inverse.norm());
  EXPECT_EQ(x[0], 7.0);
}

/// A pair of bodies that are held moves nothing.
TEST(PairLcp, StaysFiniteWithoutMotion) {
  LcpOfPair pair(Eigen::MatrixXd::Zero(2, 2));
  const std::vector<double> y{0.0, 1.0, 2.0};
  const std::vector<double> u{0.0, -1.0, 1.0};
  std::vector<double> x(3, 0.0);
  pair.lcp.take(y, u, 1.0, x);
  EXPECT_TRUE(pair.of(x).allFinite());
  EXPECT_GE(pair.of(x).minCoeff(), 0.0);
}

}  // namespace
}  // namespace scree
