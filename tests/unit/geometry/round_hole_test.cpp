#include "scree/geometry/shapes/round_hole.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/separation.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "support/separation.hpp"

namespace scree {
using test::separation;

const ShapeLibrary kNoHulls;

namespace {

using Random = std::mt19937_64;
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

HollowCylinder cylinder(double radius, double length) {
  if (length == 0.0) return {{radius, radius, -kUnbounded, kUnbounded}};
  return {{radius, radius, 0.0, length}};
}
HollowCone hollow_cone(double low_radius, double high_radius, double height) {
  return {{low_radius, high_radius, 0.0, height}};
}
Orifice plate_with_hole(double radius, double thickness) {
  return {{radius, radius, -thickness, 0.0}};
}

/// Shapes with ends: wide and narrow, opening upwards and downwards, thick and thin, with a tip.
std::vector<RoundHole> round_holes() {
  return {cylinder(0.5, 0.8),         hollow_cone(0.1, 0.6, 0.4), hollow_cone(0.6, 0.2, 0.3),
          hollow_cone(0.0, 0.5, 0.5), plate_with_hole(0.3, 0.02), plate_with_hole(0.3, 0.4)};
}

bool in_solid(const RoundHole& hole, const Vec3& p) {
  if (p.z() < hole.low || p.z() > hole.high) return false;
  const double part = (p.z() - hole.low) / (hole.high - hole.low);
  const double radius = hole.low_radius + part * (hole.high_radius - hole.low_radius);
  return std::hypot(p.x(), p.y()) >= radius;
}

/// Shortest distance from @p p to sampled points of the surface: the wall, and the two faces out to
/// 2 m.
double sampled_distance(const RoundHole& hole, const Vec3& p, int n) {
  double best = kUnbounded;
  const auto try_point = [&](double rho, double z, int k) {
    const double angle = 2.0 * M_PI * k / n;
    best = std::min(best, (Vec3(rho * std::cos(angle), rho * std::sin(angle), z) - p).norm());
  };
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i <= n; ++i) {
      const double part = static_cast<double>(i) / n;
      try_point(hole.low_radius + part * (hole.high_radius - hole.low_radius),
                hole.low + part * (hole.high - hole.low), k);
      try_point(hole.low_radius + 2.0 * part, hole.low, k);
      try_point(hole.high_radius + 2.0 * part, hole.high, k);
    }
  }
  return best;
}

TEST(RoundHole, NearestAgreesWithTheSampledSurface) {
  Random random(1);
  for (const RoundHole& hole : round_holes()) {
    for (int k = 0; k < 80; ++k) {
      const Vec3 p(uniform(random, -0.7, 0.7), uniform(random, -0.7, 0.7),
                   uniform(random, hole.low - 0.4, hole.high + 0.4));
      const SurfacePoint nearest = hole.nearest(p);
      const double sampled = sampled_distance(hole, p, 150);
      EXPECT_EQ(in_solid(hole, p), nearest.distance < 0.0);
      EXPECT_LE(std::abs(nearest.distance), sampled + 1e-12);
      // Samples are at most 0.014 m apart along and 0.06 m around.
      EXPECT_GE(std::abs(nearest.distance), sampled - 0.035);
      EXPECT_NEAR(nearest.normal.norm(), 1.0, 1e-14);
      EXPECT_LT((nearest.point + nearest.distance * nearest.normal - p).norm(), 1e-14);
      EXPECT_NEAR(hole.nearest(nearest.point).distance, 0.0, 1e-14);
    }
  }
}

TEST(RoundHole, TheNormalIsTheGradientOfTheDistance) {
  Random random(2);
  constexpr double kStep = 1e-6;
  for (const RoundHole& hole : round_holes()) {
    for (int k = 0; k < 200; ++k) {
      const Vec3 p(uniform(random, -0.7, 0.7), uniform(random, -0.7, 0.7),
                   uniform(random, hole.low - 0.3, hole.high + 0.3));
      const SurfacePoint nearest = hole.nearest(p);
      if (nearest.distance < 1e-3 || std::hypot(p.x(), p.y()) < 1e-3) continue;
      Vec3 gradient;
      for (int i = 0; i < 3; ++i) {
        const Vec3 step = kStep * Vec3::Unit(i);
        gradient[i] =
            (hole.nearest(p + step).distance - hole.nearest(p - step).distance) / (2 * kStep);
      }
      EXPECT_LT((gradient - nearest.normal).norm(), 1e-5);
    }
  }
}

TEST(RoundHole, WallRimFacesAndInside) {
  const RoundHole plate = plate_with_hole(0.3, 0.1);
  const SurfacePoint face = plate.nearest({0.4, 0.0, 0.2});
  EXPECT_EQ(face.normal, Vec3(0, 0, 1));
  EXPECT_DOUBLE_EQ(face.distance, 0.2);
  const SurfacePoint rim = plate.nearest({0.0, 0.27, 0.04});
  EXPECT_NEAR(rim.distance, 0.05, 1e-15);
  EXPECT_LT((rim.point - Vec3(0, 0.3, 0)).norm(), 1e-15);
  EXPECT_LT((rim.normal - Vec3(0, -0.6, 0.8)).norm(), 1e-14);
  const SurfacePoint wall = plate.nearest({-0.2, 0.0, -0.03});
  EXPECT_LT((wall.normal - Vec3(1, 0, 0)).norm(), 1e-15);
  EXPECT_NEAR(wall.distance, 0.1, 1e-15);
  const SurfacePoint below = plate.nearest({0.5, 0.0, -0.2});
  EXPECT_EQ(below.normal, Vec3(0, 0, -1));
  EXPECT_NEAR(below.distance, 0.1, 1e-15);
  const SurfacePoint inside = plate.nearest({0.6, 0.0, -0.02});
  EXPECT_EQ(inside.normal, Vec3(0, 0, 1));
  EXPECT_NEAR(inside.distance, -0.02, 1e-15);
  const SurfacePoint on_axis = plate.nearest({0.0, 0.0, 0.4});
  EXPECT_NEAR(on_axis.distance, 0.5, 1e-15);
  EXPECT_LT((on_axis.point - Vec3(0.3, 0, 0)).norm(), 1e-15);
  const SurfacePoint on_the_rim = plate.nearest({0.3, 0.0, 0.0});
  EXPECT_EQ(on_the_rim.distance, 0.0);
  EXPECT_NEAR(on_the_rim.normal.norm(), 1.0, 1e-15);
}

TEST(RoundHole, ACylinderWithoutEndsHoldsWhatIsInside) {
  const RoundHole drum = cylinder(0.5, 0.0);
  const SurfacePoint wall = drum.nearest({0.0, -0.4, 1e6});
  EXPECT_LT((wall.normal - Vec3(0, 1, 0)).norm(), 1e-15);
  EXPECT_NEAR(wall.distance, 0.1, 1e-15);
  EXPECT_NEAR(drum.nearest({0.7, 0.0, 0.0}).distance, -0.2, 1e-15);
  EXPECT_EQ(drum.nearest({0.7, 0.0, 0.0}).normal, Vec3(-1, 0, 0));
}

TEST(RoundHole, ALyingCylinderTurnsWithItsPose) {
  const Pose lying{Vec3(1, 2, 3), Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitY()))};
  const ContactPoint s = separation(Sphere{0.1}, {Vec3(5, 2, 2.7), Quat::Identity()},
                                    Shape(cylinder(0.5, 0.0)), lying);
  EXPECT_NEAR(s.gap, 0.1, 1e-14);
  EXPECT_LT((s.normal - Vec3(0, 0, 1)).norm(), 1e-14);
  EXPECT_LT((s.point_b - Vec3(5, 2, 2.5)).norm(), 1e-14);
}

/// No point of the solid may be nearer than what the further points say of their directions.
TEST(RoundHole, FurtherPointsBoundBallsTruly) {
  Random random(3);
  for (const RoundHole& hole : round_holes()) {
    for (int k = 0; k < 200; ++k) {
      const Vec3 p(uniform(random, -0.1, 0.1), uniform(random, -0.1, 0.1),
                   uniform(random, hole.low - 0.2, hole.high + 0.2));
      const SurfacePoint nearest = hole.nearest(p);
      if (nearest.distance <= 0.0) continue;
      for (const SurfacePoint& further : hole.around(p)) {
        EXPECT_GE(further.distance, nearest.distance - 1e-14);
        EXPECT_NEAR(further.normal.norm(), 1.0, 1e-14);
        EXPECT_LE(hole.nearest(further.point).distance, 1e-14) << "its point is in the solid";
        EXPECT_LT((further.point + further.distance * further.normal - p).norm(), 1e-14);
      }
    }
  }
}

TEST(RoundHole, ABallOnTheAxisOfANarrowHoleIsHeldFromThreeSides) {
  const Vec3 p(0.0, 0.0, 0.4);
  const RoundHole plate = plate_with_hole(0.3, 0.05);
  Vec3 sum = plate.nearest(p).normal;
  for (const SurfacePoint& further : plate.around(p)) {
    EXPECT_NEAR(further.distance, 0.5, 1e-15);
    sum += further.normal;
  }
  EXPECT_LT((sum - Vec3(0, 0, 3 * 0.8)).norm(), 1e-14);
}

TEST(RoundHole, ItsBoxEndsWhereItsEndsAre) {
  const Quat lying(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitY()));
  const Box3 box = box_of(hollow_cone(0.1, 0.2, 0.5), {Vec3(1, 2, 3), lying}, kNoHulls);
  EXPECT_NEAR(box.low.x(), 1.0, 1e-15);
  EXPECT_NEAR(box.high.x(), 1.5, 1e-15);
  EXPECT_EQ(box.high.y(), kUnbounded);
  EXPECT_EQ(box_of(hollow_cone(0.1, 0.2, 0.5), {Vec3::Zero(), rotation_by({0.1, 0, 0})}, kNoHulls)
                .low.z(),
            -kUnbounded);
  EXPECT_EQ(box_of(plate_with_hole(0.1, 0.2), Pose{}, kNoHulls).low.z(), -0.2);
  EXPECT_EQ(box_of(cylinder(0.1, 0.0), Pose{}, kNoHulls).low.z(), -kUnbounded);
  EXPECT_EQ(spin_radius(Shape(plate_with_hole(0.1, 0.2)), kNoHulls), kUnbounded);
}

}  // namespace
}  // namespace scree
