#pragma once

#include <numeric>
#include <vector>

namespace scree {

/// Slope of the line y = a + b x of least squares: b = sum (x - mean x)(y - mean y) / sum (x - mean
/// x)^2.
/// @pre as many x as y, and two different x or more.
inline double slope_of_line(const std::vector<double>& x, const std::vector<double>& y) {
  const auto mean = [](const std::vector<double>& v) {
    return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
  };
  const double x_mean = mean(x);
  const double y_mean = mean(y);
  double xy = 0.0;
  double xx = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xy += (x[k] - x_mean) * (y[k] - y_mean);
    xx += (x[k] - x_mean) * (x[k] - x_mean);
  }
  return xy / xx;
}

}  // namespace scree
