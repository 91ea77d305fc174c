#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "geometry/pairs/generic/convex_shape.hpp"
#include "scree/geometry/shapes/cone.hpp"
#include "scree/geometry/shapes/cylinder.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"
#include "scree/geometry/shapes/superellipsoid.hpp"
#include "unit/geometry/separation_oracle.hpp"

namespace scree {
namespace {

using namespace test;

bool holds(const Cylinder& s, const Vec3& p) {
  return p.head<2>().norm() <= s.radius && std::abs(p.z()) <= 0.5 * s.length;
}
bool holds(const Cone& s, const Vec3& p) {
  const double up = (p.z() + 0.25 * s.length) / s.length;
  return up >= 0.0 && p.head<2>().norm() <= s.radius * (1.0 - up);
}
bool holds(const Superellipsoid& s, const Vec3& p) {
  const Vec3 r = p.cwiseAbs().cwiseQuotient(s.axes());
  const double n1 = s.exponents[0];
  const double n2 = s.exponents[1];
  return std::pow(std::pow(r.x(), n2) + std::pow(r.y(), n2), n1 / n2) + std::pow(r.z(), n1) <= 1.0;
}

const Cylinder kTablet{0.5, 0.4};
const Cylinder kNeedle{0.05, 2.0};
const Cone kCone{0.6, 1.1};
const Superellipsoid kRounded{{0.7, 0.5, 0.4}, {4.0, 7.0}};
const Superellipsoid kBrick{{0.7, 0.5, 0.4}, {20.0, 20.0}};
const Superellipsoid kMixed{{0.7, 0.5, 0.4}, {2.0, 20.0}};

/// `test(shape)` of each.
template <class Test>
void for_each_shape(const Test& test) {
  test(kTablet);
  test(kNeedle);
  test(kCone);
  test(kRounded);
  test(kBrick);
  test(kMixed);
}

// Sums over the middles of 120^3 cells of the bounding box: those at the surface count or not,
// which leaves some 1e-3 of the volume.
TEST(GenericShapes, VolumeCentreAndMomentsAreTheIntegrals) {
  for_each_shape([](const auto& s) {
    const Box3 box = s.bounds(Mat3::Identity());
    constexpr int kCells = 120;
    const Vec3 cell = (box.high - box.low) / kCells;
    double volume = 0.0;
    Vec3 centre = Vec3::Zero();
    Vec3 squares = Vec3::Zero();
    for (int i = 0; i < kCells * kCells * kCells; ++i) {
      const Vec3 at(i % kCells + 0.5, i / kCells % kCells + 0.5, i / kCells / kCells + 0.5);
      const Vec3 p = box.low + cell.cwiseProduct(at);
      if (!holds(s, p)) continue;
      volume += cell.prod();
      centre += cell.prod() * p;
      squares += cell.prod() * p.cwiseAbs2();
    }
    EXPECT_NEAR(s.volume() / volume, 1.0, 2e-3);
    EXPECT_LT((centre / volume).norm(), 2e-3 * s.bounding_radius());
    const Vec3 moments =
        Vec3(squares.y() + squares.z(), squares.x() + squares.z(), squares.x() + squares.y());
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(s.inertia_per_mass()[k] * volume / moments[k], 1.0, 4e-3);
  });
}

TEST(GenericShapes, SupportPointsAreOnTheSurfaceAndFarthest) {
  Random random(1);
  for_each_shape([&random](const auto& s) {
    double farthest = 0.0;
    double least = 1e300;
    for (int k = 0; k < 2000; ++k) {
      const Vec3 d = random_direction(random);
      const Vec3 p = s.support(d);
      EXPECT_TRUE(holds(s, (1.0 - 1e-12) * p));
      EXPECT_FALSE(holds(s, p + 1e-9 * d));
      // inside of every other tangent plane
      const Vec3 other = random_direction(random);
      EXPECT_LE(other.dot(p), other.dot(s.support(other)) + 1e-12);
      EXPECT_LE(p.norm(), s.bounding_radius() * (1.0 + 1e-14));
      EXPECT_GE(d.dot(p), s.inscribed_radius() * (1.0 - 1e-14));
      farthest = std::max(farthest, p.norm());
      least = std::min(least, d.dot(p));
    }
    EXPECT_GT(farthest, 0.95 * s.bounding_radius());
    EXPECT_LT(least, 1.1 * s.inscribed_radius());
  });
}

/// The least radius of curvature that second differences of h, across random directions near the
/// axes, too, tell.
template <class S>
double least_radius_of_curvature(const S& s, Random& random) {
  constexpr double kStep = 1e-4;
  double least = std::numeric_limits<double>::infinity();
  const auto h = [&s](const Vec3& d) { return d.dot(s.support(d.normalized())); };
  for (int k = 0; k < 20000; ++k) {
    const Vec3 powers(uniform(random, -2, 2), uniform(random, -2, 2), uniform(random, -2, 2));
    const Vec3 stretch(std::pow(10.0, powers.x()), std::pow(10.0, powers.y()),
                       std::pow(10.0, powers.z()));
    const Vec3 d = random_direction(random).cwiseProduct(stretch).normalized();
    const Vec3 across = kStep * d.cross(random_direction(random)).normalized();
    least = std::min(least, (h(d + across) + h(d - across) - 2.0 * h(d)) / (kStep * kStep));
  }
  return least;
}

// Differences of h are known to some 1e-16 over the square of the step, 1e-8 to 1e-7: the bound is
// ten times that, and a ten thousandth of the least rounding here. Directions that come within 2 %
// of the end of the longest axis' curvature are among so many.
TEST(GenericShapes, RadiiOfCurvatureAreAtLeastTheRounding) {
  Random random(5);
  const auto test_one = [&random](const auto& s) {
    const double least = least_radius_of_curvature(s, random);
    EXPECT_GT(s.rounding_radius(), 0.0);
    EXPECT_LE(s.rounding_radius(), least + 1e-6);
    return s.rounding_radius() / least;
  };
  test_one(kRounded);
  test_one(kBrick);
  test_one(kMixed);
  test_one(Superellipsoid{{0.3, 1.0, 0.6}, {2.2, 6.0}});
  test_one(Superellipsoid{{0.7, 0.5, 0.4}, {20.0, 2.0}});
  // exact of ellipsoids
  EXPECT_GT(test_one(Superellipsoid{{2.0, 1.0, 0.5}, {2.0, 2.0}}), 0.98);
  EXPECT_GT(test_one(Ellipsoid{{2.0, 1.0, 0.5}}), 0.98);
}

TEST(GenericShapes, BoundsAreThoseOfSupportPoints) {
  Random random(2);
  for_each_shape([&random](const auto& s) {
    for (int k = 0; k < 100; ++k) {
      const Mat3 turn = random_turn(random).toRotationMatrix();
      const Box3 box = s.bounds(turn);
      for (int i = 0; i < 3; ++i) {
        const Vec3 axis = turn.row(i).transpose();
        EXPECT_NEAR(box.high[i], axis.dot(s.support(axis)), 1e-14);
        EXPECT_NEAR(box.low[i], axis.dot(s.support(-axis)), 1e-14);
      }
    }
  });
}

// The distance of a point outside is at most that of any surface point, its normal's plane holds
// the shape; inside, the ball of that depth about the point is in the shape.
TEST(GenericShapes, NearestPointsAreNearest) {
  Random random(3);
  for_each_shape([&random](const auto& s) {
    for (int k = 0; k < 300; ++k) {
      const Vec3 p = uniform(random, 0.0, 1.6) * s.support(random_direction(random));
      const SurfacePoint found = s.nearest(p);
      EXPECT_NEAR(found.normal.norm(), 1.0, 1e-12);
      EXPECT_LT((p - found.point - found.distance * found.normal).norm(), 1e-9);
      EXPECT_EQ(found.distance <= 0.0, holds(s, p)) << found.distance;
      EXPECT_NEAR(found.normal.dot(found.point), found.normal.dot(s.support(found.normal)), 1e-8);
      for (int j = 0; j < 50; ++j) {
        const Vec3 d = random_direction(random);
        // signed distance from any tangent plane
        EXPECT_LE(d.dot(p - s.support(d)), found.distance + 1e-11);
      }
    }
  });
}

TEST(GenericShapes, SupportingFacesAreFlatAndLookAlongTheDirection) {
  constexpr double kTolerance = 0.01;
  const auto n_corners = [](const auto& s, const Vec3& d) {
    const SupportingFace face = ConvexShape(s).supporting_face(d, kTolerance);
    for (const SupportingFace::Corner& c : face.corners) {
      EXPECT_GT(d.dot(c.point), d.dot(s.support(d)) - 2.0 * kTolerance * s.bounding_radius());
      EXPECT_LE(s.nearest(c.point).distance, 1e-12);
    }
    if (face.corners.size() >= 3) {
      const Vec3 out = (face.corners[1].point - face.corners[0].point)
                           .cross(face.corners[2].point - face.corners[0].point);
      EXPECT_GT(out.normalized().dot(d), 0.999) << "counter-clockwise";
    }
    return face.corners.size();
  };
  EXPECT_EQ(n_corners(kTablet, Vec3::UnitZ()), 6U);
  EXPECT_EQ(n_corners(kTablet, -Vec3::UnitZ()), 6U);
  EXPECT_EQ(n_corners(kTablet, Vec3(0.005, 0.0, -1.0).normalized()), 6U);
  EXPECT_EQ(n_corners(kTablet, Vec3(0.6, 0.8, 0.0)), 2U);
  EXPECT_EQ(n_corners(kTablet, Vec3(0.6, 0.0, 0.8)), 1U);
  EXPECT_EQ(n_corners(kCone, -Vec3::UnitZ()), 6U);
  EXPECT_EQ(n_corners(kCone, Vec3::UnitZ()), 1U);
  EXPECT_EQ(n_corners(kCone, Vec3(1.1, 0.0, 0.6).normalized()), 2U);
  EXPECT_EQ(n_corners(kCone, Vec3(1.0, 0.0, 0.0)), 1U);
  EXPECT_EQ(n_corners(kRounded, Vec3::UnitZ()), 1U);
  EXPECT_EQ(n_corners(Box{{1.0, 2.0, 3.0}}, Vec3::UnitX()), 4U);
  EXPECT_EQ(n_corners(Box{{1.0, 2.0, 3.0}}, Vec3(1.0, 1.0, 0.0).normalized()), 2U);
  EXPECT_EQ(n_corners(Box{{1.0, 2.0, 3.0}}, Vec3(1.0, 1.0, 1.0).normalized()), 1U);
  EXPECT_EQ(n_corners(Capsule{1.0, 2.0}, Vec3::UnitX()), 2U);
  EXPECT_EQ(n_corners(Capsule{1.0, 2.0}, Vec3::UnitZ()), 1U);
}

}  // namespace
}  // namespace scree
