#pragma once

#include <random>

#include "scree/base/math.hpp"

namespace scree::test {

/// Each component uniform in [-size, size].
inline Vec3 random_vector(std::mt19937_64& random, double size) {
  std::uniform_real_distribution<double> u(-size, size);
  return {u(random), u(random), u(random)};
}

}  // namespace scree::test
