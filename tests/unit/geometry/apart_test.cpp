#include "geometry/pairs/generic/apart.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"
#include "unit/geometry/separation_oracle.hpp"

namespace scree {
namespace {

using namespace test;

constexpr Cylinder kDrum{1.0, 2.0};
constexpr Cone kTip{0.7, 1.2};

std::optional<CommonNormal> normal_at(const Vec3& place, const Quat& turn = Quat::Identity()) {
  const PlacedConvex a(ConvexShape(kDrum), {}, Vec3::Zero());
  const PlacedConvex b(ConvexShape(kTip), {place, turn}, Vec3::Zero());
  return normal_of_apart({a, b});
}

TEST(NormalOfApart, IsNoneOfBodiesThatOverlapOrNearlyTouchOrHaveOneCentre) {
  EXPECT_FALSE(normal_at(Vec3::Zero()));
  EXPECT_FALSE(normal_at(Vec3(0.1, 0.2, 0.3)));
  EXPECT_FALSE(normal_at(Vec3(0.0, 0.0, 1.3 + 1e-7)));
  EXPECT_FALSE(normal_at(Vec3(0.0, 0.0, std::nan(""))));
}

/// The cone's base is above the cylinder's flat by the gap. Distances are known to 1e-13 of a size
/// of 5 at most, normals to the root of that.
TEST(NormalOfApart, OfTwoFlatsIsAcrossThem) {
  for (const double gap : {0.01, 0.1, 3.0}) {
    const auto found = normal_at(Vec3(0.2, -0.1, 1.3 + gap));
    ASSERT_TRUE(found) << gap;
    EXPECT_NEAR(found->gap, gap, 1e-12);
    EXPECT_LT((found->normal + Vec3::UnitZ()).norm(), 1e-6);
    EXPECT_NEAR((found->point_a - found->point_b).norm(), gap, 1e-12);
  }
}

/// The expanding polytope meets bodies that are nearer than 1e-5 of their size. Going along their
/// common normal leaves it as it is. Gaps count as solved to 1e-8. A distance of 4 that is off by
/// 1e-13 of the size has a normal that is off by 5e-7, so that the bodies come to 2e-6 beside where
/// they should, which turns the normal of a gap of 1.5e-3 by 1.3e-3 at most.
TEST(NormalOfApart, GoesOverIntoTheNormalOfBodiesThatNearlyTouch) {
  Random random(1);
  for (int k = 0; k < 300; ++k) {
    const Quat turn = random_turn(random);
    const Vec3 away = random_direction(random);
    const PlacedConvex a(ConvexShape(kDrum), {}, Vec3::Zero());
    const PlacedConvex b(ConvexShape(kTip), {Vec3::Zero(), turn}, Vec3::Zero());
    const double far = 4.0;
    const auto from_far = normal_at(far * away, turn);
    ASSERT_TRUE(from_far) << k;
    const double size = 1.5;
    const Vec3 touching = far * away + from_far->gap * from_far->normal;
    for (const double gap : {1e-3, 1e-7}) {
      const Vec3 place = touching - gap * size * from_far->normal;
      const CommonNormal near =
          common_normal(a, PlacedConvex(ConvexShape(kTip), {place, turn}, Vec3::Zero()));
      ASSERT_EQ(near.status, SeparationStatus::solved);
      EXPECT_NEAR(near.gap, gap * size, 1e-9) << k;
      if (gap == 1e-3) {
        EXPECT_LT((near.normal - from_far->normal).norm(), 2e-3) << k;
      }
    }
  }
}

}  // namespace
}  // namespace scree
