#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "scree/base/math.hpp"
#include "scree/problem/cones/circular_contact.hpp"
#include "scree/problem/measure.hpp"

namespace scree {
namespace {

using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

std::array<double, 9> flat(const Mat3& a) {
  std::array<double, 9> values;
  Eigen::Map<RowMajor>(values.data()) = a;
  return values;
}

/// The residual of the one-contact problem, relative: the natural map with rho = 3 / trace.
double residual(const Mat3& a, const Vec3& q, double mu, FrictionLaw law, const Vec3& l) {
  const double rho = 3.0 / a.trace();
  Vec3 u = a * l + q;
  const cones::Circular cone{{mu}};
  if (law == FrictionLaw::coulomb) u[0] += cone.shift(u);
  const Vec3 p = cone.project(l - rho * u);
  return (l - p).norm() / std::max(l.norm(), rho * q.norm());
}

struct Random {
  std::mt19937 generator;
  double uniform() { return static_cast<double>(generator()) / 2147483648.0 - 1.0; }
  Mat3 positive(int rank) {
    Mat3 a = Mat3::Zero();
    for (int k = 0; k < rank; ++k) {
      const Vec3 v(uniform(), uniform(), uniform());
      a += v * v.transpose();
    }
    return a;
  }
};

class OneContactLaws : public ::testing::TestWithParam<FrictionLaw> {};

TEST_P(OneContactLaws, IsSolvedExactly) {
  Random random{std::mt19937(1)};
  for (int trial = 0; trial < 20000; ++trial) {
    // a conditioned block as contacts have, scaled over many decades
    const double scale = std::pow(10.0, 4.0 * random.uniform());
    const Mat3 a = scale * (random.positive(4) + 0.02 * Mat3::Identity());
    const Vec3 q(random.uniform(), random.uniform(), random.uniform());
    const double mu = std::pow(10.0, random.uniform());
    cones::CircularContact contact(flat(a), mu);
    Vec3 l;
    contact.solve(GetParam() == FrictionLaw::coulomb, q.data(), l.data());
    ASSERT_LT(residual(a, q, mu, GetParam(), l), 1e-9)
        << "trial " << trial << " mu " << mu << "\n"
        << a << "\nq " << q.transpose() << "\nl " << l.transpose();
    // and again, from the warm start that the first call left
    contact.solve(GetParam() == FrictionLaw::coulomb, q.data(), l.data());
    ASSERT_LT(residual(a, q, mu, GetParam(), l), 1e-9) << "warm, trial " << trial;
  }
}

TEST_P(OneContactLaws, TakesBlocksThatAreNotSymmetric) {
  Random random{std::mt19937(2)};
  for (int trial = 0; trial < 5000; ++trial) {
    Mat3 a = random.positive(4) + 0.1 * Mat3::Identity();
    a += 2e-3 * a.trace() * skew(Vec3(random.uniform(), random.uniform(), random.uniform()));
    const Vec3 q(random.uniform(), random.uniform(), random.uniform());
    cones::CircularContact contact(flat(a), 0.7);
    Vec3 l;
    contact.solve(GetParam() == FrictionLaw::coulomb, q.data(), l.data());
    ASSERT_LT(residual(a, q, 0.7, GetParam(), l), 1e-9) << "trial " << trial;
  }
}

TEST_P(OneContactLaws, TakesSingularBlocks) {
  // only the normal, or the normal and one tangent, can move
  const double mu = 0.5;
  for (const Vec3& diagonal : {Vec3(2, 0, 0), Vec3(2, 3, 0), Vec3(2, 0, 3)}) {
    const Mat3 a = diagonal.asDiagonal();
    for (const Vec3& q : {Vec3(-1, 0, 0), Vec3(-1, 0.01, 0), Vec3(-1, 3, 4), Vec3(1, 1, 1)}) {
      cones::CircularContact contact(flat(a), mu);
      Vec3 l;
      contact.solve(GetParam() == FrictionLaw::coulomb, q.data(), l.data());
      EXPECT_TRUE(l.allFinite());
      EXPECT_LT(residual(a, q, mu, GetParam(), l), 1e-7)
          << diagonal.transpose() << " q " << q.transpose() << " l " << l.transpose();
    }
  }
}

TEST_P(OneContactLaws, GivesNothingWhereNothingMoves) {
  cones::CircularContact contact(flat(Mat3::Zero()), 0.5);
  const Vec3 q(-1, 1, 0);
  Vec3 l(1, 1, 1);
  contact.solve(GetParam() == FrictionLaw::coulomb, q.data(), l.data());
  EXPECT_EQ(l, Vec3::Zero());
}

TEST_P(OneContactLaws, FrictionlessIsTheHalfLine) {
  Mat3 a = Mat3::Zero();
  a(0, 0) = 4.0;
  cones::CircularContact contact(flat(a), 0.0);
  Vec3 l;
  contact.solve(GetParam() == FrictionLaw::coulomb, Vec3(-2, 0, 0).data(), l.data());
  EXPECT_EQ(l, Vec3(0.5, 0, 0));
  contact.solve(GetParam() == FrictionLaw::coulomb, Vec3(2, 0, 0).data(), l.data());
  EXPECT_EQ(l, Vec3::Zero());
}

INSTANTIATE_TEST_SUITE_P(Both, OneContactLaws,
                         ::testing::Values(FrictionLaw::coulomb, FrictionLaw::associated),
                         [](const auto& test) { return std::string(to_string(test.param)); });

}  // namespace
}  // namespace scree
