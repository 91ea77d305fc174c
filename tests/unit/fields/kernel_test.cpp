#include "fields/kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace scree {
namespace {

/// The integral of @p f over the spline's support: Simpson's rule on its pieces, exact for their
/// products with squares.
template <class F>
double integral(F&& f) {
  double sum = 0.0;
  constexpr int kPieces = 400;
  for (int i = 0; i < kPieces; ++i) {
    const double a = -2.0 + 4.0 * i / kPieces;
    const double b = -2.0 + 4.0 * (i + 1) / kPieces;
    sum += (b - a) / 6.0 * (f(a) + 4.0 * f(0.5 * (a + b)) + f(b));
  }
  return sum;
}

TEST(Kernel, HasIntegralOneAndTheWidthAsStandardDeviation) {
  // Simpson's rule errs by less than (1/100)^4 times the fourth derivatives, of order one.
  EXPECT_NEAR(integral(spline), 1.0, 1e-14);
  const double variance = integral([](double q) { return q * q * spline(q); });
  EXPECT_NEAR(variance * spline_unit(0.3) * spline_unit(0.3), 0.3 * 0.3, 1e-9);
}

TEST(Kernel, IsTheDerivativeOfItsIntegral) {
  constexpr double kStep = 1e-4;
  for (double q = -2.2; q <= 2.2; q += 0.0371) {
    const double slope = (spline_integral(q + kStep) - spline_integral(q - kStep)) / (2.0 * kStep);
    EXPECT_NEAR(slope, spline(q), kStep * kStep) << q;  // |B''| is 2 at most, over 6
  }
  EXPECT_EQ(spline_integral(-2.0), 0.0);
  EXPECT_EQ(spline_integral(2.0), 1.0);
  EXPECT_EQ(spline_integral(0.0), 0.5);
}

TEST(Kernel, IsNearlyAGaussian) {
  for (double q = -3.0; q <= 3.0; q += 0.1) {  // of variance 1/3, as the spline
    const double gaussian = std::sqrt(1.5 / std::numbers::pi) * std::exp(-1.5 * q * q);
    EXPECT_NEAR(spline(q), gaussian, 0.04 * spline(0.0)) << q;
  }
}

}  // namespace
}  // namespace scree
