#include "scree/config/key_values.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree {
namespace {

std::string number(double value) {
  return fmt::format("{:.12g}", value);
}

/// Value @p k of @p count between two ends, which are met exactly.
double between(double first, double last, int k, int count) {
  if (k == 0 || count == 1) return first;
  return k + 1 == count ? last : first + (last - first) * k / (count - 1);
}

}  // namespace

std::vector<std::string> linear_values(double first, double last, int count) {
  std::vector<std::string> values;
  for (int k = 0; k < count; ++k) values.push_back(number(between(first, last, k, count)));
  return values;
}

std::vector<std::string> log_values(double first, double last, int count) {
  std::vector<std::string> values;
  for (int k = 0; k < count; ++k) {
    const double power = between(std::log10(first), std::log10(last), k, count);
    const bool at_end = k + 1 == count && count > 1;
    values.push_back(number(k == 0 ? first : at_end ? last : std::pow(10.0, power)));
  }
  return values;
}

std::vector<std::string> range_values(double first, double last, double step) {
  const auto steps = static_cast<int>(std::floor((last - first) / step * (1.0 + 1e-12) + 1e-12));
  std::vector<std::string> values;
  for (int k = 0; k <= steps; ++k) values.push_back(number(first + k * step));
  return values;
}

}  // namespace scree
