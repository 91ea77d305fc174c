#include "kernel.hpp"

#include <cmath>

namespace scree {

double spline(double q) {
  const double a = std::abs(q);
  if (a < 1.0) return 2.0 / 3.0 - a * a + 0.5 * a * a * a;
  if (a >= kSplineReach) return 0.0;
  const double rest = kSplineReach - a;
  return rest * rest * rest / 6.0;
}

double spline_integral(double q) {
  const double a = std::abs(q);
  double half = 0.5;  // the integral from 0 to a
  if (a < 1.0) {
    half = a * (2.0 / 3.0 - a * a * (1.0 / 3.0 - a / 8.0));
  } else if (a < kSplineReach) {
    const double rest = kSplineReach - a;
    half -= rest * rest * rest * rest / 24.0;
  }
  return q < 0.0 ? 0.5 - half : 0.5 + half;
}

}  // namespace scree
