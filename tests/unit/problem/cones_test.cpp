/// Every cone of the list against what defines it: projections by their optimality, the law's shift by what
/// sliding means, and the map of Alart and Curnier by the law and by differences.

#include "scree/problem/cones.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace scree {
namespace {

using cones::Rows;

class Numbers {
 public:
  template <int kDim>
  Rows<kDim> point() {
    return Rows<kDim>::NullaryExpr([this] { return normal_(random_); });
  }
  double positive() { return 0.05 + std::abs(normal_(random_)); }

 private:
  std::mt19937 random_{11};
  std::normal_distribution<double> normal_;
};

template <class Cone>
Cone random_cone(Numbers& numbers) {
  std::array<double, 4> parameters{};
  for (double& parameter : parameters) parameter = numbers.positive();
  return Cone::from(parameters.data());
}

template <class Cone>
class EveryCone : public ::testing::Test {};

template <class List>
struct Types;
template <class... Cone>
struct Types<std::tuple<Cone...>> {
  using Value = ::testing::Types<Cone...>;
};
TYPED_TEST_SUITE(EveryCone, Types<cones::List>::Value);

constexpr int kTrials = 400;
constexpr double kRounding = 1e-13;

/// Moreau: p is x's nearest point of K exactly if p is in K, x - p in -K*, and the two are orthogonal.
TYPED_TEST(EveryCone, ProjectsOntoTheNearestPoint) {
  Numbers numbers;
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto cone = random_cone<TypeParam>(numbers);
    const auto x = numbers.point<TypeParam::kDim>();
    const Rows<TypeParam::kDim> p = cone.project(x);
    const Rows<TypeParam::kDim> rest = p - x;
    EXPECT_LE(cone.violation(p), kRounding);
    EXPECT_LE(cone.dual_violation(rest), kRounding * (1.0 + x.norm()) * 10.0);
    EXPECT_NEAR(p.dot(rest), 0.0, kRounding * (1.0 + x.squaredNorm()) * 10.0);
  }
}

/// K* is where all products with K's points are positive.
TYPED_TEST(EveryCone, HasItsDual) {
  Numbers numbers;
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto cone = random_cone<TypeParam>(numbers);
    const Rows<TypeParam::kDim> in_k = cone.project(numbers.point<TypeParam::kDim>());
    const auto x = numbers.point<TypeParam::kDim>();
    const Rows<TypeParam::kDim> in_dual = cone.project(x) - x;
    EXPECT_GE(in_k.dot(in_dual), -1e-12);
    EXPECT_LE(cone.dual_violation(in_dual), 1e-12);
  }
}

/// A fixed point of the map for the velocity u is one of the projection for u~, and the reverse: both are the
/// law. Solutions are made as sticking, sliding and open ones come: l in K, u~ in K*, orthogonal.
TYPED_TEST(EveryCone, AlartAndCurniersMapIsTheLaw) {
  Numbers numbers;
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto cone = random_cone<TypeParam>(numbers);
    const auto x = numbers.point<TypeParam::kDim>();
    const Rows<TypeParam::kDim> l = cone.project(x);
    const Rows<TypeParam::kDim> exact = l - x;
    Rows<TypeParam::kDim> u = exact;
    u[0] -= cone.shift(exact);  // the shift depends on the tangents alone
    const double rho = numbers.positive();
    const Rows<TypeParam::kDim> z = l - rho * u;
    EXPECT_LT((cone.alart_curnier(z).value - l).norm(), 1e-12 * (1.0 + z.norm()));
    EXPECT_LT((cone.project(Rows<TypeParam::kDim>(l - rho * exact)) - l).norm(),
              1e-12 * (1.0 + z.norm()));
  }
}

/// By central differences. Kinks are left out: where second differences are above a thousandth of the step, so
/// that those compared are within a thousandth of the slope.
TYPED_TEST(EveryCone, AlartAndCurniersSlopeIsTheDerivative) {
  constexpr double kStep = 1e-6;
  Numbers numbers;
  int compared = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto cone = random_cone<TypeParam>(numbers);
    const auto z = numbers.point<TypeParam::kDim>();
    const auto map = cone.alart_curnier(z);
    for (int k = 0; k < TypeParam::kDim; ++k) {
      Rows<TypeParam::kDim> step = Rows<TypeParam::kDim>::Zero();
      step[k] = kStep;
      const auto ahead = cone.alart_curnier(Rows<TypeParam::kDim>(z + step));
      const auto behind = cone.alart_curnier(Rows<TypeParam::kDim>(z - step));
      const Rows<TypeParam::kDim> second = ahead.value - 2.0 * map.value + behind.value;
      if (second.norm() > 1e-3 * kStep) continue;  // a kink between
      const Rows<TypeParam::kDim> slope = (ahead.value - behind.value) / (2.0 * kStep);
      EXPECT_LT((slope - map.slope.col(k)).norm(), 1e-3);
      ++compared;
    }
  }
  EXPECT_GT(compared, 9 * kTrials * TypeParam::kDim / 10);
}

/// By hand: a normal of 2 with limits 1/2 and 1/4 allows tangents of 1 and moments of 1/2.
TEST(RollingCone, HasItsLimitsAndItsShift) {
  const cones::Rolling cone{{0.5, 0.25}};
  Rows<5> l;
  l << 2.0, 0.6, 0.8, 0.3, 0.4;
  EXPECT_NEAR(cone.violation(l), 0.0, 1e-15);
  l[3] = 0.6;
  EXPECT_NEAR(cone.violation(l), std::hypot(0.6, 0.4) - 0.5, 1e-15);
  Rows<5> u;
  u << -0.1, 3.0, 4.0, 0.6, 0.8;
  EXPECT_NEAR(cone.shift(u), 0.5 * 5.0 + 0.25 * 1.0, 1e-15);
}

TEST(Cones, StandInBatchesOfOneTypeAndLaw) {
  Cones cones;
  cones.append(1, 0.0, FrictionLaw::coulomb);
  cones.append(3, 0.3, FrictionLaw::coulomb);
  cones.append(3, 0.4, FrictionLaw::coulomb);
  cones.append(3, 0.5, FrictionLaw::associated);
  cones.append(cones::Rolling{{0.6, 0.1}});
  ASSERT_EQ(cones.batches.size(), 4U);
  EXPECT_EQ(cones.batches[1].count, 2);
  EXPECT_EQ(cones.rows(), 1U + 9U + 5U);
  EXPECT_EQ(cones.row(4), 10U);
  EXPECT_EQ(cones.dim(4), 5);
  EXPECT_EQ(friction_coefficients(cones), (std::vector<double>{0.0, 0.3, 0.4, 0.5, 0.6}));
  std::vector<std::size_t> visited;
  for_each_cone(cones, [&]<class Cone>(const Cone&, const ConePlace& at) {
    EXPECT_EQ(cones.row(at.number), at.row);
    EXPECT_EQ(cones.dim(at.number), Cone::kDim);
    EXPECT_EQ(at.exact, at.number != 3);
    visited.push_back(at.number);
  });
  EXPECT_EQ(visited, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(Cones, TakeAnotherLaw) {
  Cones cones;
  for (const int dim : {1, 2, 3, 3}) cones.append(dim, dim == 1 ? 0.0 : 0.3, FrictionLaw::coulomb);
  for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::box, FrictionLaw::coulomb}) {
    const Cones changed = with_law(cones, law);
    EXPECT_EQ(law_of(changed), law);
    EXPECT_EQ(changed.offset, cones.offset);
    EXPECT_EQ(friction_coefficients(changed), friction_coefficients(cones));
  }
}

}  // namespace
}  // namespace scree
