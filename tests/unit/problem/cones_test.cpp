/// Every cone of the list against what defines it: projections by their optimality, the law's shift
/// by what sliding means, and the map of Alart and Curnier by the law and by differences.

#include "scree/problem/cones.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
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
  if constexpr (!cones::kIsCone<Cone>) parameters[0] *= -1.0;  // the lower bound
  Cone cone = Cone::from(parameters.data());
  if constexpr (requires { cone.directions; }) {
    cone.directions = 4 + 2 * static_cast<int>(3.0 * numbers.positive());
  }
  return cone;
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

/// A point p of a convex set is that which is nearest to x exactly if (p - x) . (k - p) >= 0 for
/// all its points k. Moreau: of a cone, exactly if x - p is in -K*, and the two are orthogonal.
TYPED_TEST(EveryCone, ProjectsOntoTheNearestPoint) {
  Numbers numbers;
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto cone = random_cone<TypeParam>(numbers);
    const auto x = numbers.point<TypeParam::kDim>();
    const Rows<TypeParam::kDim> p = cone.project(x);
    const Rows<TypeParam::kDim> rest = p - x;
    EXPECT_LE(cone.violation(p), kRounding);
    EXPECT_LE(cone.dual_violation(rest), kRounding * (1.0 + x.norm()) * 10.0);
    const Rows<TypeParam::kDim> other = cone.project(numbers.point<TypeParam::kDim>());
    EXPECT_GE(rest.dot(other - p), -1e-12);
    if constexpr (!cones::kIsCone<TypeParam>) continue;
    EXPECT_NEAR(p.dot(rest), 0.0, kRounding * (1.0 + x.squaredNorm()) * 10.0);
  }
}

/// K* is where all products with K's points are positive.
TYPED_TEST(EveryCone, HasItsDual) {
  if constexpr (!cones::kIsCone<TypeParam>) return;
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

/// A fixed point of the map for the velocity u is one of the projection for u~, and the reverse:
/// both are the law. Solutions are made as sticking, sliding and open ones come: l in K, u~ in K*,
/// orthogonal.
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

/// By central differences. Kinks are left out: where second differences are above a thousandth of
/// the step, so that those compared are within a thousandth of the slope.
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

/// Against all corners and all sides: h is the largest product with a corner, and the sides bound
/// what is inside.
TEST(FacetedCone, HasTheCornersAndSidesOfItsDirections) {
  Numbers numbers;
  for (const int k : {4, 6, 8, 14}) {
    const cones::FacetedCircular cone{{0.7}, k};
    for (int trial = 0; trial < kTrials; ++trial) {
      const Rows<3> x = numbers.point<3>();
      double corner = 0.0;
      double side = -std::numeric_limits<double>::infinity();
      for (int i = 0; i < k; ++i) {
        const double at = 2.0 * std::numbers::pi * i / k;
        const double between = at + std::numbers::pi / k;
        corner = std::max(corner, std::cos(at) * x[1] + std::sin(at) * x[2]);
        side = std::max(side, std::cos(between) * x[1] + std::sin(between) * x[2] -
                                  0.7 * std::cos(std::numbers::pi / k) * x[0]);
      }
      EXPECT_NEAR(cone.shift(x), 0.7 * corner, kRounding * x.norm());
      if (x[0] <= 0.0) continue;
      if (side > 0.0) {
        EXPECT_NEAR(cone.violation(x), side, kRounding * x.norm());
      } else {
        EXPECT_LE(cone.violation(x), kRounding * x.norm());
      }
    }
  }
}

/// The polygon tends to its circle: they differ by 1 - cos(pi/K) of the limit at most.
TEST(FacetedCone, TendsToTheRoundOne) {
  Numbers numbers;
  constexpr int kMany = 128;
  const double off = 1.0 - std::cos(std::numbers::pi / kMany);
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto x = numbers.point<6>();
    const cones::Spinning round{{0.7, 0.2, 0.1}};
    const cones::FacetedSpinning faceted{{0.7, 0.2, 0.1}, kMany};
    EXPECT_LE((round.project(x) - faceted.project(x)).norm(), std::sqrt(off) * x.norm());
    EXPECT_NEAR(round.shift(x), faceted.shift(x), off * x.norm());
  }
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
  for (const FrictionLaw law :
       {FrictionLaw::associated, FrictionLaw::box, FrictionLaw::pyramid, FrictionLaw::coulomb}) {
    const Cones changed = with_law(cones, law);
    EXPECT_EQ(law_of(changed), law);
    EXPECT_EQ(changed.offset, cones.offset);
    EXPECT_EQ(friction_coefficients(changed), friction_coefficients(cones));
  }
}

/// Parameters are held once for as long as cones are alike, and of each from the first that is not.
TEST(Cones, HoldParametersOnceWhereTheyAreAlike) {
  Cones cones;
  const std::array<double, 3> first{0.3, 0.3, 0.3};
  cones.append_all<cones::Circular>(first, true);
  cones.append(cones::Circular{{0.3}});
  EXPECT_EQ(cones.batches.front().parameters, std::vector<double>({0.3}));
  const std::array<double, 2> others{0.3, 0.4};
  cones.append_all<cones::Circular>(others, true);
  cones.append(cones::Circular{{0.3}});
  cones.append(cones::Rolling{{0.5, 0.2}});
  cones.append(cones::Rolling{{0.5, 0.1}});
  EXPECT_EQ(friction_coefficients(cones),
            std::vector<double>({0.3, 0.3, 0.3, 0.3, 0.3, 0.4, 0.3, 0.5, 0.5}));
  ASSERT_EQ(cones.batches.size(), 2U);
  EXPECT_EQ(cones.batches.back().parameters, std::vector<double>({0.5, 0.2, 0.5, 0.1}));
  EXPECT_EQ(cones.batches.back().cone<cones::Rolling>(1).mu[1], 0.1);
}

/// There and back, with rolling; and what a cone is told of its directions.
TEST(Cones, BecomePyramidsAndRoundAgain) {
  Cones cones;
  cones.append(3, 0.3, FrictionLaw::coulomb);
  cones.append(cones::Rolling{{0.6, 0.1}});
  cones.append(cones::Spinning{{0.6, 0.1, 0.05}});
  const Cones faceted = with_law(cones, {FrictionLaw::pyramid, 6});
  for_each_cone(faceted, []<class Cone>(const Cone& cone, const ConePlace& at) {
    if constexpr (requires { cone.directions; }) {
      EXPECT_EQ(cone.directions, 6);
    } else {
      ADD_FAILURE() << cones::kNames[cones::kTypeOf<Cone>] << " at " << at.number;
    }
  });
  const Cones back = with_law(faceted, FrictionLaw::coulomb);
  ASSERT_EQ(back.batches.size(), cones.batches.size());
  for (std::size_t i = 0; i < back.batches.size(); ++i) {
    EXPECT_EQ(back.batches[i].type, cones.batches[i].type);
    EXPECT_EQ(back.batches[i].parameters, cones.batches[i].parameters);
  }
}

}  // namespace
}  // namespace scree
