#include "scree/contact/cube_root.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree {
namespace {

TEST(CubeRoot, IsThatOfTheLibrary) {
  for (double x = 1e-300; x < 1e300; x *= 1.0137) {
    const double exact = std::cbrt(x);
    EXPECT_NEAR(cube_root(x), exact, 1e-15 * exact) << x;
  }
}

}  // namespace
}  // namespace scree
