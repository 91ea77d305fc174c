#include "geometry/pairs/generic/smooth_normal.hpp"

#include <gtest/gtest.h>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"
#include "unit/geometry/separation_oracle.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kTolerance = 1e-10;

/// From a direction that is up to a fifth off @p near.
template <class A, class B>
std::optional<Sight> from_beside(const A& a, const B& b, const Pose& pose_b, const Vec3& near,
                                 Random& random) {
  const PlacedConvex placed_a(ConvexShape(a), {}, Vec3::Zero());
  const PlacedConvex placed_b(ConvexShape(b), pose_b, Vec3::Zero());
  const Difference difference(placed_a, placed_b);
  const Vec3 start = (near + uniform(random, 0.0, 0.2) * random_direction(random)).normalized();
  return smooth_normal(difference, difference.look(start), kTolerance);
}

// Ellipsoids have routines of their own, which know gaps to rounding; here a gap of at least 0.3
// sizes is off by the square of kTolerance, far below that.
TEST(SmoothNormal, OfTwoEllipsoidsIsThatOfTheirOwnRoutine) {
  Random random(1);
  int n_found = 0;
  constexpr int kPairs = 500;
  for (int k = 0; k < kPairs; ++k) {
    const Ellipsoid a = random_ellipsoid(random);
    const Ellipsoid b = random_ellipsoid(random);
    const double size = a.bounding_radius() + b.bounding_radius();
    const Pose pose_b{1.3 * size * random_direction(random), random_turn(random)};
    const ContactPoint own = contacts_between(a, {}, b, pose_b, ShapeLibrary(), 0.0).deepest();
    const auto found = from_beside(a, b, pose_b, -own.normal, random);
    if (!found) continue;
    ++n_found;
    const double rounding = a.rounding_radius() + b.rounding_radius();
    EXPECT_NEAR(-found->value - rounding, own.gap, 1e-12 * size) << k;
    // what is across the normal is at most kTolerance, at a distance of at least 0.3 sizes
    EXPECT_LT((found->direction + own.normal).norm(), 1e-8) << k;
    EXPECT_LT((found->point - found->value * found->direction).norm(), 2.0 * kTolerance) << k;
  }
  EXPECT_GT(n_found, 0.9 * kPairs);
}

/// Along a flat's normal its farthest point is any of it: no direction beside it is better.
TEST(SmoothNormal, IsNoneOfAFlat) {
  Random random(2);
  const Box box{{1.0, 1.0, 1.0}};
  const Sphere ball{0.5};
  const Pose above{Vec3(0.1, 0.2, 2.0), Quat::Identity()};
  for (int k = 0; k < 20; ++k) {
    EXPECT_FALSE(from_beside(box, ball, above, Vec3::UnitZ(), random)) << k;
  }
}

}  // namespace
}  // namespace scree
