#pragma once

/// The points at which two shapes are looked at whose separation is a function on a circle: where
/// it has its minima, and in the middle of each quarter that has none, since what lies along the
/// circle touches all around.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "circle_minima.hpp"

namespace scree {

struct CirclePoint {
  double angle;  ///< rad
  bool at_minimum;
  std::int32_t feature;  ///< the quarter, and 4 times the number of the minimum in it
};

/// The points, held without an allocation.
class CirclePoints {
 public:
  void push_back(const CirclePoint& point) { at_[size_++] = point; }
  const CirclePoint* begin() const { return at_.data(); }
  const CirclePoint* end() const { return at_.data() + size_; }

 private:
  std::array<CirclePoint, CircleMinima::kMost + 4> at_;
  std::size_t size_ = 0;
};

/// @param minima what minima_on_circle() found
inline CirclePoints points_on_circle(CircleMinima minima) {
  std::sort(minima.begin(), minima.end(), CircleMinima::is_lower);
  CirclePoints points;
  std::array<std::int32_t, 4> minima_in{};
  for (const CircleSample& m : minima) {
    // minima this near each other are the two ends of a short level stretch
    const bool repeated = std::any_of(points.begin(), points.end(), [&m](const CirclePoint& known) {
      return std::abs(std::remainder(known.angle - m.angle, 2.0 * std::numbers::pi)) < 1e-4;
    });
    if (repeated) continue;
    const auto nearest = std::lround(2.0 * m.angle / std::numbers::pi);
    const auto quarter = static_cast<std::int32_t>((nearest % 4 + 4) % 4);
    std::int32_t& known = minima_in[static_cast<std::size_t>(quarter)];
    points.push_back({m.angle, true, quarter + 4 * known});
    ++known;
  }
  for (std::int32_t quarter = 0; quarter < 4; ++quarter) {
    if (minima_in[static_cast<std::size_t>(quarter)] > 0) continue;
    points.push_back({0.5 * std::numbers::pi * quarter, false, quarter});
  }
  return points;
}

}  // namespace scree
