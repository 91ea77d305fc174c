#include "scree/geometry/linking.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace scree {
namespace {

Vec3 on(const Circle& circle, double angle) {
  return circle.pose.to_world(circle.radius * Vec3(std::cos(angle), std::sin(angle), 0.0));
}

/// Gauss's integral for the linking number, by sums over n points of each circle.
double gauss_integral(const Circle& a, const Circle& b, int n) {
  const double step = 2.0 * std::numbers::pi / n;
  double sum = 0.0;
  for (int i = 0; i < n; ++i) {
    const Vec3 along_a = on(a, (i + 1) * step) - on(a, i * step);
    const Vec3 at_a = on(a, (i + 0.5) * step);
    for (int j = 0; j < n; ++j) {
      const Vec3 along_b = on(b, (j + 1) * step) - on(b, j * step);
      const Vec3 apart = at_a - on(b, (j + 0.5) * step);
      sum += apart.dot(along_a.cross(along_b)) / std::pow(apart.norm(), 3);
    }
  }
  return sum / (4.0 * std::numbers::pi);
}

double distance(const Circle& a, const Circle& b, int n) {
  double least = 1e300;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double step = 2.0 * std::numbers::pi / n;
      least = std::min(least, (on(a, i * step) - on(b, j * step)).norm());
    }
  }
  return least;
}

TEST(Linking, IsTheLinkingNumberOfGauss) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-1.0, 1.0);
  std::uniform_real_distribution<double> radius(0.3, 1.2);
  int linked = 0;
  for (int k = 0; k < 250; ++k) {
    const auto any = [&] {
      const Vec3 turn(place(random), place(random), place(random));
      const Vec3 centre(place(random), place(random), place(random));
      return Circle{{centre, rotation_by(4.0 * turn)}, radius(random)};
    };
    const Circle a = any();
    const Circle b = any();
    constexpr int kPoints = 120;  // the sum is within 0.1 where they are 0.1 apart
    if (distance(a, b, kPoints) < 0.1) continue;
    const double number = gauss_integral(a, b, kPoints);
    ASSERT_NEAR(number, std::round(number), 0.1);
    EXPECT_EQ(are_linked(a, b), std::lround(std::abs(number)) == 1) << k;
    EXPECT_EQ(are_linked(b, a), are_linked(a, b)) << k;
    linked += are_linked(a, b) ? 1 : 0;
  }
  EXPECT_GT(linked, 20);
}

TEST(Linking, CirclesOfOnePlaneAreNotLinked) {
  const Circle a{{}, 1.0};
  EXPECT_FALSE(are_linked(a, {{{0.5, 0.0, 0.0}, Quat::Identity()}, 1.0}));
  EXPECT_FALSE(are_linked(a, {{{0.0, 0.0, 0.1}, Quat::Identity()}, 0.5}));
}

}  // namespace
}  // namespace scree
