#include "scree/geometry/shapes/ring.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/shapes/box.hpp"
#include "scree/geometry/shapes/capsule.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"
#include "scree/geometry/shapes/plane.hpp"
#include "scree/geometry/shapes/round_hole.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "unit/geometry/separation_oracle.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kHalfTurn = std::numbers::pi;
const ShapeLibrary kNoLibrary;

Vec3 on_surface(const Ring& ring, double around, double about_tube) {
  const double rho = ring.major_radius + ring.minor_radius * std::cos(about_tube);
  return {rho * std::cos(around), rho * std::sin(around), ring.minor_radius * std::sin(about_tube)};
}

TEST(Ring, NearestAndBoundsAgreeWithASampledSurface) {
  const Ring ring{0.7, 0.25};
  Random random(1);
  constexpr int kSamples = 400;
  for (int k = 0; k < 50; ++k) {
    const Vec3 p = uniform(random, 0.0, 1.5) * random_direction(random);
    const Quat turn = random_turn(random);
    const Box3 box = ring.bounds(turn.toRotationMatrix());
    Box3 sampled{Vec3::Zero(), Vec3::Zero()};
    double nearest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kSamples; ++i) {
      for (int j = 0; j < kSamples; ++j) {
        const Vec3 x =
            on_surface(ring, 2.0 * kHalfTurn * i / kSamples, 2.0 * kHalfTurn * j / kSamples);
        nearest = std::min(nearest, (x - p).norm());
        sampled.low = sampled.low.cwiseMin(turn * x);
        sampled.high = sampled.high.cwiseMax(turn * x);
      }
    }
    const SurfacePoint s = ring.nearest(p);
    // Half a step of the samples is 0.95 pi / 400, and what is nearest is flat there.
    EXPECT_LE(std::abs(s.distance), nearest + 1e-14);
    EXPECT_GE(std::abs(s.distance), nearest - 0.95 * kHalfTurn / kSamples);
    EXPECT_LT((p - s.point - s.distance * s.normal).norm(), 1e-14);
    EXPECT_TRUE(((sampled.low - box.low).array() >= -1e-14).all());
    EXPECT_TRUE(((box.high - sampled.high).array() >= -1e-14).all());
    EXPECT_LT((sampled.low - box.low).maxCoeff(), 1e-4);
    EXPECT_LT((box.high - sampled.high).maxCoeff(), 1e-4);
  }
}

TEST(Ring, VolumeAndInertiaAgreeWithTheirIntegrals) {
  const Ring ring{0.7, 0.4};
  constexpr int kSteps = 1000;  // the rule of midpoints is off by the square of its step
  double volume = 0.0;
  double axial = 0.0;
  double along = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    const double s = ring.minor_radius * (i + 0.5) / kSteps;
    for (int j = 0; j < 64; ++j) {  // exact for the first 63 harmonics
      const double angle = 2.0 * kHalfTurn * j / 64;
      const double rho = ring.major_radius + s * std::cos(angle);
      const double z = s * std::sin(angle);
      const double part =
          2.0 * kHalfTurn * rho * s * (2.0 * kHalfTurn / 64) * (ring.minor_radius / kSteps);
      volume += part;
      axial += rho * rho * part;
      along += z * z * part;
    }
  }
  EXPECT_NEAR(ring.volume(), volume, 1e-6 * volume);
  EXPECT_NEAR(ring.inertia_per_mass().z(), axial / volume, 1e-6);
  EXPECT_NEAR(ring.inertia_per_mass().x(), 0.5 * axial / volume + along / volume, 1e-6);
  EXPECT_EQ(ring.inertia_per_mass().x(), ring.inertia_per_mass().y());
  EXPECT_EQ(bounding_radius(ring, kNoLibrary), 0.7 + 0.4);
  EXPECT_EQ(inscribed_radius(ring, kNoLibrary), 0.4);
  EXPECT_FALSE(is_convex_body(ring));
  EXPECT_EQ(ring.scaled(2.0).minor_radius, 0.8);
}

std::set<std::int64_t> features_of(const Manifold& m) {
  std::set<std::int64_t> numbers;
  for (const ContactPoint& p : m) numbers.insert(p.feature);
  return numbers;
}

/// The largest circle about @p centre inside the polygon of the points, seen along z: what a ring
/// that rests on them may be loaded within.
double support_radius(const Manifold& m, const Vec3& centre) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 360; ++k) {
    const Vec3 out(std::cos(k * kHalfTurn / 180), std::sin(k * kHalfTurn / 180), 0.0);
    double reach = -std::numeric_limits<double>::infinity();
    for (const ContactPoint& p : m) reach = std::max(reach, out.dot(p.point_b - centre));
    least = std::min(least, reach);
  }
  return least;
}

struct Lying {
  const char* name;
  Shape below;
  double height;  ///< of the ring's centre above that of B when they touch
  double radius;  ///< of the circle on which they touch
};

/// Flat on a plane, a box, a ring of its size, a ring in which it fits, a ball in its hole.
std::vector<Lying> lying(const Ring& ring) {
  const double sum = ring.major_radius + ring.minor_radius;
  const Ring wide{sum + 0.2, 0.3};
  const double offset = wide.major_radius - ring.major_radius;
  const double reach = wide.minor_radius + ring.minor_radius;
  const Sphere ball{ring.major_radius};
  return {{"plane", Plane{}, ring.minor_radius, ring.major_radius},
          {"box", Box{{3, 3, 1}}, 1.0 + ring.minor_radius, ring.major_radius},
          {"ring", ring, 2.0 * ring.minor_radius, ring.major_radius},
          {"wide ring", wide, std::sqrt(reach * reach - offset * offset), 0.0},
          {"ball", ball,
           -std::sqrt(std::pow(ball.radius + ring.minor_radius, 2) -
                      ring.major_radius * ring.major_radius),
           0.0}};
}

/// One in each quarter; where the slope is below rounding for a stretch, that stretch has two ends.
TEST(Ring, LyingHasAPointInEachQuarterThatStaysAsItTilts) {
  const Ring ring{0.7, 0.1};
  for (const Lying& scene : lying(ring)) {
    for (const double gap : {0.0, 1e-8, -1e-8, 1e-4}) {
      for (const double tilt : {0.0, 1e-15, 1e-13, 1e-10, 1e-7, 1e-4}) {
        for (const double towards : {0.1, 1.3, 2.9, 4.6}) {
          const Pose pose{Vec3(0, 0, scene.height + gap),
                          rotation_by(tilt * Vec3(std::cos(towards), std::sin(towards), 0))};
          const Manifold m = contacts_between(ring, pose, scene.below, {}, kNoLibrary, 1e-3);
          ASSERT_EQ(m.status, SeparationStatus::solved);
          ASSERT_GE(m.size(), 4U) << scene.name << " " << gap << " " << tilt;
          ASSERT_LE(m.size(), tilt > 1e-12 || tilt == 0.0 ? 4U : 6U) << scene.name << " " << tilt;
          EXPECT_EQ(features_of(m).size(), m.size());
          const Pose flat{pose.position, Quat::Identity()};
          for (const std::int64_t feature :
               features_of(contacts_between(ring, flat, scene.below, {}, kNoLibrary, 1e-3))) {
            EXPECT_EQ(features_of(m).count(feature), 1U) << scene.name << " " << tilt;
          }
          // A square in the circle; a point of lowest height may be an eighth of a turn off its
          // corner.
          EXPECT_GT(support_radius(m, Vec3::Zero()), 0.38 * scene.radius);
          const double steep = scene.radius > 0.0 ? std::abs(gap) : 1.1 * std::abs(gap);
          for (const ContactPoint& p : m) EXPECT_NEAR(p.gap, 0.0, steep + 0.8 * tilt + 1e-14);
        }
      }
    }
  }
}

TEST(Ring, InARingOfTheSamePlaneHasPointsAllAround) {
  const Ring small{0.5, 0.1};
  const Ring large{1.0, 0.2};
  const Manifold m = contacts_between(small, {}, large, {}, kNoLibrary, 0.3);
  ASSERT_EQ(m.size(), 4U);
  for (const ContactPoint& p : m) EXPECT_NEAR(p.gap, 0.2, 1e-15);
  // The same circle twice: nothing is nearer than anything else, and the axis leads out.
  const Manifold same = contacts_between(small, {}, small, {}, kNoLibrary, 0.3);
  ASSERT_EQ(same.size(), 4U);
  for (const ContactPoint& p : same) {
    EXPECT_NEAR(p.gap, -0.2, 1e-15);
    EXPECT_NEAR(std::abs(p.normal.z()), 1.0, 1e-15);
    EXPECT_EQ(p.normal, same[0].normal);
  }
}

/// Links of a chain, pulled apart from loose to taut, to circles that cross, and 1e-15 .. 1e-3 on.
TEST(Ring, LinksPullEachOtherWhereTheyMeet) {
  const Ring ring{1.0, 0.1};
  const Quat across = rotation_by({kHalfTurn / 2, 0, 0});
  for (const double loose : {0.5, 0.1, 1e-3, 1e-8, 0.0, -1e-8, -0.05, -0.199}) {
    const Pose other{Vec3(1.8 - loose, 0, 0), across};
    const ContactPoint p = contacts_between(ring, {}, ring, other, kNoLibrary, 0.0).deepest();
    EXPECT_NEAR(p.gap, loose, 1e-15) << loose;
    EXPECT_LT((p.normal - Vec3::UnitX()).norm(), 1e-14) << loose;
  }
  for (const double past : {0.0, 1e-16, 1e-15, 1e-12, 1e-9, 1e-3}) {
    const Pose other{Vec3(2.0 + past, 0, 0), across};
    const ContactPoint p = contacts_between(ring, {}, ring, other, kNoLibrary, 0.0).deepest();
    EXPECT_NEAR(p.gap, -0.2 + past, 1e-15) << past;
    EXPECT_NEAR(std::abs(p.normal.x()), 1.0, 1e-12) << past;
  }
}

TEST(Ring, OnARodTouchesOnBothSidesOfItsHole) {
  const Ring ring{1.0, 0.1};
  const Capsule rod{0.2, 4.0};
  // Threaded, along the axis: all around. Aside: one point. Across the ring: two.
  const Manifold threaded = contacts_between(ring, {}, rod, {}, kNoLibrary, 1.0);
  ASSERT_EQ(threaded.size(), 4U);
  for (const ContactPoint& p : threaded) EXPECT_NEAR(p.gap, 0.7, 1e-15);
  const Manifold aside =
      contacts_between(ring, {}, rod, {Vec3(0.65, 0, 0), Quat::Identity()}, kNoLibrary, 0.1);
  ASSERT_EQ(aside.size(), 1U);
  EXPECT_NEAR(aside[0].gap, 0.05, 1e-15);
  const Manifold flat =
      contacts_between(ring, {Vec3(0, 0, 0.31), Quat::Identity()}, rod,
                       {Vec3(0, 0.2, 0), rotation_by({0, kHalfTurn / 2, 0})}, kNoLibrary, 0.02);
  ASSERT_EQ(flat.size(), 2U);
  EXPECT_NEAR(flat[0].gap, 0.01, 1e-14);
  EXPECT_NEAR(flat[1].gap, 0.01, 1e-14);
}

TEST(Ring, InRoundHolesAgreesWithDenseSampling) {
  constexpr double kNoEnd = std::numeric_limits<double>::infinity();
  HollowCylinder tube;
  tube.low_radius = tube.high_radius = 1.5;
  tube.low = -kNoEnd;
  tube.high = kNoEnd;
  HollowCone cone;
  cone.low_radius = 0.4;
  cone.high_radius = 2.5;
  cone.high = 2.0;
  Orifice orifice;
  orifice.low_radius = orifice.high_radius = 0.8;
  orifice.low = -0.1;
  const Shape holes[] = {tube, cone, orifice};
  Random random(5);
  for (int k = 0; k < 10000; ++k) {
    const Ring ring{uniform(random, 0.2, 1.0), 0.05};
    const Shape& hole = holes[k % 3];
    const Vec3 position(uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, 0, 2));
    const Pose pose{k % 5 == 0 ? Vec3(0, 0, position.z()) : position,
                    k % 7 == 0 ? Quat::Identity() : random_turn(random)};
    const Manifold m = contacts_between(ring, pose, hole, {}, kNoLibrary, 0.01);
    ASSERT_EQ(m.status, SeparationStatus::solved);
    double sampled = kNoEnd;
    for (int i = 0; i < 256; ++i) {
      const double angle = 2.0 * kHalfTurn * i / 256;
      const Vec3 p = pose.to_world(ring.major_radius * Vec3(std::cos(angle), std::sin(angle), 0));
      sampled = std::min(sampled, hole_of(hole)->nearest(p).distance - ring.minor_radius);
    }
    EXPECT_LE(m.deepest().gap, sampled + 1e-13) << k;
    // A sample is at most half a step of the circle away.
    EXPECT_GE(m.deepest().gap, sampled - ring.major_radius * kHalfTurn / 256) << k;
    for (const ContactPoint& p : m) {
      EXPECT_NEAR(ring.nearest(pose.to_body(p.point_a)).distance, 0.0, ring.minor_radius);
      EXPECT_LT((p.point_a - p.point_b - p.gap * p.normal).norm(), 1e-14);
    }
  }
}

TEST(Ring, WhatIsNoNumberIsNotSolved) {
  const Pose nowhere{Vec3(std::nan(""), 0.0, 0.0), Quat::Identity()};
  const Ring ring{1.0, 0.1};
  for (const Shape& other : {Shape(Sphere{1.0}), Shape(ring), Shape(Plane{}),
                             Shape(Ellipsoid{{1, 1, 2}}), Shape(Box{{1, 1, 1}})}) {
    const Manifold m = contacts_between(ring, nowhere, other, {}, kNoLibrary, 0.1);
    EXPECT_EQ(m.status, SeparationStatus::not_converged);
    EXPECT_EQ(m.size(), 1U);
  }
}

}  // namespace
}  // namespace scree
