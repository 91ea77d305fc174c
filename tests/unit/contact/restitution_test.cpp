#include "scree/contact/restitution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "scree/contact/stiffness.hpp"

namespace scree {
namespace {

/// The speed at which a unit mass with k = 1, c = 2 zeta parts that approaches at 1, in steps q of
/// the contact problem of one row: lambda >= 0, u + bias + R lambda >= 0, one of them 0. The gap is
/// @p phase of a free step's way at the start.
double simulated(double zeta, double q, double phase) {
  const ContactStiffness contact{.normal = 1.0, .tangential = 1.0, .damping = 2.0 * zeta};
  double velocity = -1.0;
  double gap = phase * q;
  for (bool touched = false;;) {
    const double free = velocity + contact.normal_bias(gap, q);
    const double impulse = std::max(0.0, -free / (1.0 + contact.normal_compliance(q)));
    if (impulse == 0.0 && touched) return velocity;
    touched = impulse > 0.0;
    velocity += impulse;
    gap += q * velocity;
  }
}

/// q at which a contact with this zeta < 1 lasts @p n steps: tan(2 acos(zeta)/n) = q root/(1 + zeta
/// q).
double q_of_whole_steps(double zeta, int n) {
  const double tangent = std::tan(2.0 * std::acos(zeta) / n);
  return tangent / (std::sqrt(1.0 - zeta * zeta) - zeta * tangent);
}

TEST(Restitution, IsThatOfTheStepsWhereTheyAreWhole) {
  for (const double zeta : {0.0, 0.1, 0.5, 0.9}) {
    for (const int n : {5, 8, 40, 200}) {
      const double q = q_of_whole_steps(zeta, n);
      ASSERT_GT(q, 0.0);
      // Rounding of n steps. Whether the last step, whose force is 0, counts as touching is left to
      // rounding, and of no matter.
      EXPECT_NEAR(simulated(zeta, q, 0.0), restitution_of(zeta, q), 1e-14 * n) << zeta << " " << n;
    }
  }
}

/// The velocity stands still where the force ends, so that half a step too many or too few costs
/// 1 - cos(theta/2) <= q^2/8 of it. The mean over phases is nearer to the formula: it is even.
TEST(Restitution, DependsLittleOnTheGapOfTheFirstStep) {
  for (const double zeta : {0.0, 0.1, 0.3, 1.0, 3.0}) {
    for (const double steps : {0.01, 0.05, 0.2}) {
      const double q = std::numbers::pi * steps;
      const double e = restitution_of(zeta, q);
      double sum = 0.0;
      for (int i = 0; i < 100; ++i) {
        const double one = simulated(zeta, q, i / 100.0);
        EXPECT_NEAR(one, e, e * q * q / 8.0) << zeta << " " << steps << " " << i;
        sum += one;
      }
      EXPECT_NEAR(sum / 100.0, e, e * q * q / 80.0) << zeta << " " << steps;
    }
  }
}

/// The dashpot's closed form (header), and exp(-2) where it is critical.
TEST(Restitution, TendsToTheDashpotsForShortSteps) {
  const double q = 1e-7;  // of first order in q
  for (const double zeta : {0.05, 0.3, 0.8}) {
    const double root = std::sqrt(1.0 - zeta * zeta);
    EXPECT_NEAR(restitution_of(zeta, q), std::exp(-2.0 * zeta * std::acos(zeta) / root), 1e-6);
  }
  EXPECT_NEAR(restitution_of(1.0, q), std::exp(-2.0), 1e-6);
  EXPECT_NEAR(restitution_of(2.0, q), std::exp(-4.0 * std::acosh(2.0) / std::sqrt(3.0)), 1e-6);
}

TEST(Restitution, TableOfThePageHolds) {
  const auto e = [](double zeta, double steps) {
    return std::round(100.0 * restitution_of(zeta, std::numbers::pi * steps)) / 100.0;
  };
  const std::array<double, 4> steps{0.01, 0.05, 0.2, 0.83};
  const std::array<double, 3> zetas{0.0, 0.1, 0.3};
  const std::array<std::array<double, 4>, 3> table{
      {{0.95, 0.78, 0.39, 0.07}, {0.71, 0.59, 0.31, 0.06}, {0.43, 0.37, 0.21, 0.05}}};
  for (std::size_t i = 0; i < zetas.size(); ++i) {
    for (std::size_t k = 0; k < steps.size(); ++k) EXPECT_EQ(e(zetas[i], steps[k]), table[i][k]);
  }
}

TEST(Restitution, OfTheTimeStepAlone) {
  for (const double q : {0.01, 0.5, 3.0}) {
    const double e = std::pow(1.0 + q * q, -std::numbers::pi / (2.0 * std::atan(q)));
    EXPECT_NEAR(restitution_of(0.0, q), e, 1e-14);
  }
}

/// Three branches, one function.
TEST(Restitution, PassesCriticalDampingSmoothly) {
  for (const double q : {0.01, 1.0, 10.0}) {
    const double step = 1e-9;
    const double critical = restitution_of(1.0, q);
    EXPECT_NEAR(restitution_of(1.0 - step, q), critical, 10.0 * step);
    EXPECT_NEAR(restitution_of(1.0 + step, q), critical, 10.0 * step);
    EXPECT_GT(restitution_of(1.0 - step, q), critical);
    EXPECT_LT(restitution_of(1.0 + step, q), critical);
  }
}

TEST(Restitution, FallsWithDampingAndWithTheStep) {
  for (const double q : {0.01, 0.3, 3.0}) {
    double last = 1.0;
    for (double zeta = 0.0; zeta < 20.0; zeta += 0.05) {
      const double e = restitution_of(zeta, q);
      EXPECT_LT(e, last) << zeta << " " << q;
      EXPECT_LT(restitution_of(zeta, 1.1 * q), e);
      last = e;
    }
  }
}

}  // namespace
}  // namespace scree
