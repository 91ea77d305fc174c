#include "scree/geometry/shapes/ellipsoid.hpp"

#include <gtest/gtest.h>

#include <string>

#include "geometry/pairs/ellipsoid/nearest_on_ellipsoid.hpp"
#include "scree/config/reader.hpp"
#include "support/refusal.hpp"
#include "unit/geometry/separation_oracle.hpp"

namespace scree {
namespace {

using namespace test;

/// A point in or about @p e: on symmetry planes and axes, at the centre, on the surface, near zero.
Vec3 awkward_point(Random& random, const Ellipsoid& e, int k) {
  Vec3 p = uniform(random, 0.0, 1.5) * random_direction(random).cwiseProduct(e.axes());
  if (k % 3 == 0) p[(k / 3) % 3] = 0.0;
  if (k % 7 == 0) p[(k / 7) % 3] = 0.0;
  if (k % 11 == 0) p *= 1e-9;
  if (k % 13 == 0) p = e.support(random_direction(random));
  if (k % 17 == 0) p[(k / 17) % 3] *= 1e-12;
  if (k % 50 == 0) p.setZero();
  return p;
}

TEST(Ellipsoid, NearestPointAgreesWithTheSampledGap) {
  Random random(1);
  const std::vector<Vec3> sampled = directions(500);
  for (int k = 0; k < 5000; ++k) {
    const Ellipsoid e = random_ellipsoid(random);
    const Vec3 p = awkward_point(random, e, k);
    const auto found = nearest_on_ellipsoid<3>(e.axes(), p);
    const auto g = [&](const Vec3& m) { return m.dot(p) - e.axes().cwiseProduct(m).norm(); };
    ASSERT_TRUE(found.converged);
    // The distance is the value of g at the normal, no sampled one is larger, and the point is
    // there.
    EXPECT_NEAR(g(found.outward), found.distance, 1e-14 * (1.0 + p.norm()));
    EXPECT_GE(found.distance, largest_on_sphere(g, sampled, 4) - 1e-12) << k;
    EXPECT_LT((e.support(found.outward) + found.distance * found.outward - p).norm(), 1e-12) << k;
  }
}

/// Every point that is nearest among its neighbours is one of two.
TEST(Ellipsoid, TheSecondNearestPointIsTheOnlyOtherLocalMinimum) {
  Random random(2);
  int n_second = 0;
  for (int k = 0; k < 2000; ++k) {
    const Ellipsoid e = random_ellipsoid(random);
    if (e.longest() - e.shortest() < 1e-3) continue;
    const Vec3 p = uniform(random, 0.0, 0.9) * random_direction(random).cwiseProduct(e.axes());
    const double first = nearest_on_ellipsoid<3>(e.axes(), p).distance;
    const auto second = second_nearest_on_ellipsoid<3>(e.axes(), p);
    const auto g = [&](const Vec3& m) { return m.dot(p) - e.axes().cwiseProduct(m).norm(); };
    if (second) {
      ++n_second;
      EXPECT_NEAR(g(second->outward), second->distance, 1e-13);
      EXPECT_LT((e.support(second->outward) + second->distance * second->outward - p).norm(),
                1e-12);
      // Stationary to first order, and no step around it climbs.
      EXPECT_LT(refined(g, second->outward, 1e-4) - second->distance, 1e-12) << k;
    }
    for (const Vec3& start : {Vec3(random_direction(random)), Vec3(random_direction(random))}) {
      const double local = refined(g, start, 1e-3, 10000000);
      const bool known =
          std::abs(local - first) < 1e-6 || (second && std::abs(local - second->distance) < 1e-6);
      EXPECT_TRUE(known) << k << " " << local << " " << first;
    }
  }
  EXPECT_GT(n_second, 100);
}

TEST(Ellipsoid, SupportBoundsAndMassProperties) {
  Random random(4);
  const Ellipsoid e{{0.2, 0.5, 0.3}};
  const Mat3 turn = random_turn(random).toRotationMatrix();
  const Box3 bounds = e.bounds(turn);
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 top = turn * e.support(turn.transpose() * Vec3::Unit(axis));
    EXPECT_NEAR(bounds.high[axis], top[axis], 1e-15);
    EXPECT_NEAR(bounds.low[axis], -top[axis], 1e-15);
  }
  EXPECT_NEAR(off_surface(e, Pose{}, e.support({0.3, -2.0, 0.7})), 0.0, 1e-15);
  EXPECT_EQ(e.bounding_radius(), 0.5);
  EXPECT_EQ(e.inscribed_radius(), 0.2);
  EXPECT_EQ(e.rolling_radius(), 0.2 * 0.2 / 0.5);
  // Equal axes make the ball's 4/3 pi r^3 and 2/5 r^2; stretching z by s scales the integrals.
  const Ellipsoid ball{{0.3, 0.3, 0.3}};
  EXPECT_NEAR(ball.volume(), 4.0 / 3.0 * std::numbers::pi * 0.027, 1e-16);
  EXPECT_LT((ball.inertia_per_mass() - Vec3::Constant(0.4 * 0.09)).norm(), 1e-16);
  const Ellipsoid stretched{{0.3, 0.3, 0.6}};
  EXPECT_NEAR(stretched.volume(), 2.0 * ball.volume(), 1e-15);
  EXPECT_NEAR(stretched.inertia_per_mass().z(), ball.inertia_per_mass().z(), 1e-16);
  EXPECT_NEAR(stretched.inertia_per_mass().x(), 0.2 * (0.09 + 0.36), 1e-16);
}

std::string refusal(std::string_view text) {
  Ellipsoid e;
  return test::refusal_of([&] { read_yaml(text, "c.yaml", {}, e); });
}

TEST(Ellipsoid, DeclaresItsSemiAxesAndRefusesWhatCannotBe) {
  Ellipsoid e;
  read_yaml("semi_axes: [1, 0.5, 0.002]", "c.yaml", {}, e);
  EXPECT_EQ(e.axes(), Vec3(1, 0.5, 0.002));
  EXPECT_NE(refusal("semi_axes: [1, 0.5, 0.001]").find("1:1000"), std::string::npos);
  EXPECT_NE(refusal("semi_axes: [1, 0.5, 0]").find("semi_axes"), std::string::npos);
  EXPECT_NE(refusal("semi_axes: [1, -0.5, 1]").find("semi_axes"), std::string::npos);
  EXPECT_NE(refusal("{}").find("semi_axes"), std::string::npos);
}

}  // namespace
}  // namespace scree
