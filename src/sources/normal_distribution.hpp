#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree {

/// Share of a standard normal distribution below @p z.
inline double normal_share(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

/// The z with normal_share(z) = @p p, to rounding. @pre 0 < p < 1.
/// Wichura, Algorithm AS 241: the percentage points of the normal distribution, 1988 (PPND16).
double normal_quantile(double p);

/// A standard normal distribution between @p low <= 0 and @p high >= 0.
struct CutNormal {
  double low;
  double high;

  double quantile(double p) const {
    const double below = normal_share(low);
    const double share = below + p * (normal_share(high) - below);
    // Where the whole tail is in, p = 0 would be at infinity.
    constexpr double kEnd = 1e-16;
    return std::clamp(normal_quantile(std::clamp(share, kEnd, 1.0 - kEnd)), low, high);
  }

  /// The mean of @p f by Simpson's rule. @p f must be negligible beside the density's fall beyond
  /// @p reach above zero.
  template <class F>
  double mean(const F& f, double reach) const {
    constexpr int kIntervals = 2000;
    constexpr double kTail = 9.0;  // beyond it less than 1e-18 of the distribution
    const double a = std::max(low, -kTail);
    const double step = (std::min(high, kTail + reach) - a) / kIntervals;
    double sum = 0.0;
    double mass = 0.0;
    for (int i = 0; i <= kIntervals; ++i) {
      const double z = a + i * step;
      const double end = i == 0 || i == kIntervals ? 1.0 : 2.0 + 2.0 * (i % 2);
      const double weight = end * std::exp(-0.5 * z * z);
      sum += weight * f(z);
      mass += weight;
    }
    return sum / mass;
  }
};

}  // namespace scree
