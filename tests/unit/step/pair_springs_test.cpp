#include "step/pair_springs.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

constexpr double kSoftness = 3.0;

LoadedContact point(double x, double speed) {
  LoadedContact one;
  one.contact.normal = Vec3::UnitZ();
  one.contact.arm_a = {x, 0.0, 0.0};
  one.contact.arm_b = {x, 0.0, 0.0};
  one.speed = speed;
  one.softness = kSoftness;
  return one;
}

/// With R_i = s_i R each of the points is compressed by what one spring with the load of all would
/// be, and those velocities are the ones of the pair's own inverse masses.
TEST(PairSprings, PointsThatBearAreCompressedAsOneSpringIs) {
  const Mat6 inverse_mass = Mat6::Identity();
  std::vector<LoadedContact> points{point(-1.0, -1.0), point(0.5, -1.2), point(0.4, 0.5)};
  share_stiffness(points, inverse_mass, Mat6::Zero());
  double all = 0.0;
  for (const LoadedContact& one : points) all += one.load;
  EXPECT_EQ(points[2].load, 0.0);
  for (const std::size_t i : {0, 1}) {
    const LoadedContact& one = points[i];
    ASSERT_GT(one.load, 0.0);
    EXPECT_NEAR(one.contact.sharing * kSoftness * one.load, kSoftness * all, 1e-5 * all);
    double speed = one.speed;
    for (const LoadedContact& other : points) {
      speed += (1.0 + one.contact.arm_a.x() * other.contact.arm_a.x()) * other.load;
    }
    EXPECT_NEAR(speed, -kSoftness * all, 1e-9);
  }
}

/// Tangential forces go as stiffness does.
TEST(PairSprings, AStretchStaysAsStiffnessIsShared) {
  std::vector<LoadedContact> points{point(0.0, -1.0)};
  points[0].history.force = {2.0, 0.0, 0.0};
  points[0].history.rest_gap = -1e-3;
  points.push_back(joined(point(0.0, 0.0).contact, -1.0, 1e-3, points));
  EXPECT_EQ(points[1].history.force, points[0].history.force);
  EXPECT_EQ(points[1].history.rest_gap, -1e-3);
  share_stiffness(points, Mat6::Identity(), Mat6::Zero());
  for (const LoadedContact& one : points) {
    EXPECT_NEAR(one.history.force.x(), 2.0 / one.contact.sharing, 1e-12);
  }
}

}  // namespace
}  // namespace scree
