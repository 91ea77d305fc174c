#include "schedule.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace scree {

std::int64_t Schedule::multiples(double time, double dt) const {
  if (every_ <= 0.0) return 0;
  return static_cast<std::int64_t>(std::floor((time + 0.5 * dt) / every_));
}

bool Schedule::due(double time, double dt) {
  const std::int64_t behind = std::max(behind_, multiples(time, dt));
  return std::exchange(behind_, behind) < behind;
}

}  // namespace scree
