/// The part of a ball in a box against closed forms: caps, quarters, eighths, and sums over boxes
/// that fill space.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "scree/geometry/pairs/convex/ball_in_box.hpp"

namespace scree {
namespace {

constexpr double kInf = 1e3;  // beyond every ball below
constexpr double kBall = 4.0 / 3.0 * std::numbers::pi;

double volume(const Vec3& low, const Vec3& high, const Vec3& centre = Vec3::Zero(),
              double radius = 1.0) {
  return volume_of_ball_in_box(centre, radius, {low, high});
}

TEST(BallInBox, WholeBallsAndNone) {
  EXPECT_DOUBLE_EQ(volume(Vec3(-1, -1, -1), Vec3(1, 1, 1)), kBall);
  EXPECT_EQ(volume(Vec3(1, -1, -1), Vec3(2, 1, 1)), 0.0);
  EXPECT_NEAR(volume(Vec3(-0.1, -0.2, -0.3), Vec3(0.3, 0.2, 0.1)), 0.4 * 0.4 * 0.4,
              1e-12);  // the box is in the ball
}

TEST(BallInBox, CapsAlongEachAxis) {
  for (const double h : {0.01, 0.3, 1.0, 1.7}) {
    const double cap = std::numbers::pi * h * h * (3.0 - h) / 3.0;
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 low = Vec3::Constant(-kInf);
      low[axis] = 1.0 - h;
      EXPECT_NEAR(volume(low, Vec3::Constant(kInf)), cap, 1e-8 * kBall)
          << "height " << h << ", axis " << axis;
    }
  }
}

TEST(BallInBox, PartsOfCutsThroughTheCentre) {
  EXPECT_NEAR(volume(Vec3(0, 0, -kInf), Vec3::Constant(kInf)), kBall / 4.0, 1e-9);
  EXPECT_NEAR(volume(Vec3::Zero(), Vec3::Constant(kInf)), kBall / 8.0, 1e-9);
}

/// Eight boxes that meet in a point fill space.
TEST(BallInBox, PartsAddUpToTheBall) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-1.2, 1.2);
  for (int trial = 0; trial < 50; ++trial) {
    const Vec3 point(place(random), place(random), place(random));
    const Vec3 centre(3.0, -2.0, 5.0);
    double sum = 0.0;
    for (int octant = 0; octant < 8; ++octant) {
      Vec3 low = centre + 0.5 * point;
      Vec3 high = low;
      for (int axis = 0; axis < 3; ++axis)
        ((octant >> axis & 1) != 0 ? high[axis] : low[axis]) +=
            (octant >> axis & 1) != 0 ? kInf : -kInf;
      sum += volume(low, high, centre, 0.5);
    }
    EXPECT_NEAR(sum, kBall / 8.0, 1e-9) << point.transpose();
  }
}

/// Against counted points: 4e5 of them leave a standard deviation of at most 0.5 * 8 / sqrt(4e5).
TEST(BallInBox, AgreesWithCountedPoints) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> place(-1.0, 1.0);
  const Box3 box{Vec3(-0.2, -0.9, 0.1), Vec3(0.75, 0.55, 0.95)};
  constexpr int kPoints = 400'000;
  int inside = 0;
  for (int k = 0; k < kPoints; ++k) {
    const Vec3 p(place(random), place(random), place(random));
    if (p.norm() < 1.0 && box.contains(p)) ++inside;
  }
  EXPECT_NEAR(volume(box.low, box.high), 8.0 * inside / kPoints, 5.0 * 4.0 / std::sqrt(kPoints));
}

}  // namespace
}  // namespace scree
