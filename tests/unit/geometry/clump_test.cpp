/// Clumps: what integrals over their union give, and which contacts they have.

#include "scree/geometry/shapes/clump.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include "scree/base/check.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/pairs/features.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "support/hulls.hpp"
#include "unit/geometry/separation_oracle.hpp"

namespace scree::test {
namespace {

using Parts = std::vector<ClumpParts::Part>;

ClumpParts::Part part_at(const Shape& shape, const Vec3& position,
                         const Quat& turn = Quat::Identity()) {
  return {shape, {position, turn}};
}

/// A clump in a library of its own.
struct OneClump {
  explicit OneClump(Parts parts) { add(std::move(parts)); }
  explicit OneClump(ShapeLibrary hulls, Parts parts) : library(std::move(hulls)) {
    add(std::move(parts));
  }
  /// Its pose where the frame of the parts is the world's.
  Pose as_given() const { return library.clumps()[0]->in_file; }
  const ClumpParts& parts() const { return *library.clumps()[0]; }
  Manifold with(const Shape& other, const Pose& pose, double margin) const {
    return contacts_between(Clump{0, 1.0}, as_given(), other, pose, library, margin);
  }

  ShapeLibrary library;

 private:
  void add(Parts parts) { library.add(clump_of(std::move(parts), library), library); }
};

/// An L of two boxes: 2 x 1 x 1 along x on the floor, 1 x 1 x 1 on its far half, cut from it or as
/// a box of 2 that goes down to the floor.
Parts ell(bool overlaps) {
  const Box lying{{1.0, 0.5, 0.5}};
  const Box standing{{0.5, 0.5, overlaps ? 1.0 : 0.5}};
  return {part_at(lying, {0.0, 0.0, 0.5}), part_at(standing, {0.5, 0.0, overlaps ? 1.0 : 1.5})};
}

/// Moments about the centre of mass in the frame of the parts, over mass.
Mat3 inertia_as_given(const ClumpParts& clump) {
  const Mat3 axes = clump.in_file.orientation.toRotationMatrix();
  return axes * clump.inertia_per_mass.asDiagonal() * axes.transpose();
}

TEST(ClumpMass, AddsUpWherePartsAreApart) {
  const OneClump clump(ell(false));
  EXPECT_NEAR(clump.parts().volume, 3.0, 1e-12);
  EXPECT_LT((clump.parts().in_file.position - Vec3(0.5 / 3.0, 0.0, 2.5 / 3.0)).norm(), 1e-12);
  // each cube has 1/6, and by Steiner its centre's distance
  const Vec3 centre(0.5 / 3.0, 0.0, 2.5 / 3.0);
  Mat3 expected = Mat3::Zero();
  for (const Vec3& cube : {Vec3(-0.5, 0, 0.5), Vec3(0.5, 0, 0.5), Vec3(0.5, 0, 1.5)}) {
    const Vec3 d = cube - centre;
    expected +=
        (Mat3::Identity() / 6.0 + d.squaredNorm() * Mat3::Identity() - d * d.transpose()) / 3.0;
  }
  EXPECT_LT((inertia_as_given(clump.parts()) - expected).norm(), 1e-12);
}

TEST(ClumpMass, CountsWhatIsInSeveralPartsOnce) {
  const OneClump apart(ell(false));
  const OneClump overlapping(ell(true));
  EXPECT_NEAR(overlapping.parts().volume, 3.0, 1e-4);
  EXPECT_LT((overlapping.parts().in_file.position - apart.parts().in_file.position).norm(), 1e-4);
  EXPECT_LT((inertia_as_given(overlapping.parts()) - inertia_as_given(apart.parts())).norm(), 1e-4);
}

TEST(ClumpMass, OfTwoBallsIsThatOfTheirUnion) {
  for (const double distance : {0.3, 0.9, 1.5, 1.99}) {
    const OneClump clump({part_at(Sphere{1.0}, {0, 0, 0}), part_at(Sphere{1.0}, {0, 0, distance})});
    const double lens =
        std::numbers::pi * (4.0 + distance) * (2.0 - distance) * (2.0 - distance) / 12.0;
    const double ball = 4.0 / 3.0 * std::numbers::pi;
    EXPECT_NEAR(clump.parts().volume, 2.0 * ball - lens, 5e-4 * ball) << distance;
    EXPECT_NEAR(clump.parts().in_file.position.z(), 0.5 * distance, 2e-4) << distance;
  }
}

TEST(ClumpMass, OfTheSameBallTwiceOrThreeTimesIsTheBalls) {
  Parts balls(3, part_at(Sphere{0.7}, {1, 2, 3}));
  const OneClump clump(balls);
  EXPECT_NEAR(clump.parts().volume / Sphere{0.7}.volume(), 1.0, 1e-3);  // of two overlaps
  EXPECT_NEAR(clump.parts().inertia_per_mass.maxCoeff(), 0.4 * 0.49, 5e-4);
}

TEST(ClumpMass, OfABallWithinABoxIsTheBoxs) {
  const OneClump clump({part_at(Box{{1, 1, 1}}, {0, 0, 0}), part_at(Sphere{0.3}, {0.2, 0, 0})});
  EXPECT_NEAR(clump.parts().volume, 8.0, 5e-4 * Sphere{0.3}.volume());
  EXPECT_NEAR(clump.parts().in_file.position.norm(), 0.0, 1e-5);
}

TEST(Clump, OfOnePartIsMetLikeThatPart) {
  Random random(3);
  ShapeLibrary hulls;
  const Polyhedron pebble{hulls.add(hull_of(dodecahedron(), "a test")), 0.4};
  const std::vector<Shape> shapes{Sphere{0.4}, Ellipsoid{{0.6, 0.4, 0.3}}, Capsule{0.2, 0.5},
                                  Box{{0.3, 0.4, 0.5}}, pebble};
  const std::vector<Shape> walls{Plane{}, HollowCylinder{{3.0, 3.0, -9.0, 9.0}}, Ring{1.0, 0.2}};
  for (const Shape& own : shapes) {
    const OneClump clump(hulls, {part_at(own, {0.1, 0.2, 0.3}, random_turn(random))});
    const Pose own_pose{clump.parts().parts[0].pose};
    for (const auto* others : {&shapes, &walls}) {
      for (const Shape& other : *others) {
        const Pose pose{uniform(random, 0.3, 0.9) * random_direction(random), random_turn(random)};
        const Pose body{Vec3(0.1, 0.1, 0.0), random_turn(random)};
        const Pose part{body.to_world(own_pose.position), body.orientation * own_pose.orientation};
        const Manifold of_clump =
            contacts_between(Clump{0, 1.0}, body, other, pose, clump.library, 0.1);
        const Manifold of_part = contacts_between(own, part, other, pose, clump.library, 0.1);
        ASSERT_EQ(of_clump.size(), of_part.size());
        EXPECT_NEAR(of_clump.deepest().gap, of_part.deepest().gap, 1e-10);
        EXPECT_LT((of_clump.deepest().normal - of_part.deepest().normal).norm(), 1e-6);
      }
    }
  }
}

TEST(Clump, ABallInTheCornerOfAnLMeetsBothArms) {
  for (const bool overlaps : {false, true}) {
    const OneClump clump(ell(overlaps));
    const Manifold corner = clump.with(Sphere{0.2}, {Vec3(-0.21, 0.0, 1.19)}, 0.05);
    ASSERT_EQ(corner.size(), 2U);
    EXPECT_NEAR(corner[0].gap, -0.01, 1e-12);
    EXPECT_LT((corner[0].normal + Vec3::UnitZ()).norm(), 1e-12);
    EXPECT_NEAR(corner[1].gap, 0.01, 1e-12);
    EXPECT_LT((corner[1].normal - Vec3::UnitX()).norm(), 1e-12);
    EXPECT_NE(corner[0].feature, corner[1].feature);
  }
}

TEST(Clump, AFlatSeamIsNotFelt) {
  for (const double overlap : {0.0, 0.3}) {
    const Box half{{0.5 + 0.5 * overlap, 1.0, 0.5}};
    const OneClump clump(
        {part_at(half, {-0.5 + 0.5 * overlap, 0, 0}), part_at(half, {0.5 - 0.5 * overlap, 0, 0})});
    for (const double gap : {-1e-3, 0.0, 1e-3}) {
      for (int k = -40; k <= 40; ++k) {
        const Vec3 centre(0.01 * k, 0.1, 0.5 + 0.2 + gap);
        const Manifold found = clump.with(Sphere{0.2}, {centre}, 0.05);
        for (const ContactPoint& point : found) {
          ASSERT_LT((point.normal + Vec3::UnitZ()).norm(), 1e-12) << k;
          ASSERT_NEAR(point.gap, gap, 1e-12) << k;
        }
      }
    }
    // a box over the seam stands on its four corners, all upright
    const Manifold box = clump.with(Box{{0.2, 0.2, 0.2}}, {Vec3(0.03, 0.0, 0.699)}, 0.01);
    ASSERT_GE(box.size(), 4U);
    std::set<std::int64_t> features;
    for (const ContactPoint& point : box) {
      EXPECT_LT((point.normal + Vec3::UnitZ()).norm(), 1e-9);
      EXPECT_NEAR(point.gap, -1e-3, 1e-9);
      features.insert(point.feature);
    }
    EXPECT_EQ(features.size(), box.size());
  }
}

TEST(Clump, TheLeastGapOfTwoIsThatOfTheirParts) {
  Random random(7);
  const auto random_parts = [&random] {
    Parts parts;
    for (int i = 0; i < 4; ++i) {
      const Vec3 place = 0.5 * random_direction(random);
      if (i % 2 == 0) {
        parts.push_back(part_at(Sphere{uniform(random, 0.2, 0.4)}, place));
      } else {
        parts.push_back(
            part_at(Capsule{0.2, uniform(random, 0.2, 0.8)}, place, random_turn(random)));
      }
    }
    return parts;
  };
  for (int k = 0; k < 40; ++k) {
    ShapeLibrary library;
    library.add(clump_of(random_parts(), library), library);
    library.add(clump_of(random_parts(), library), library);
    const Clump a{0, uniform(random, 0.5, 1.5)};
    const Clump b{1, uniform(random, 0.5, 1.5)};
    const Pose pose_a{uniform(random, 1.0, 3.0) * random_direction(random), random_turn(random)};
    const Pose pose_b{Vec3::Zero(), random_turn(random)};
    double least = 1e9;
    const ScaledClump parts_a = library.geometry_of(a);
    const ScaledClump parts_b = library.geometry_of(b);
    for (std::size_t i = 0; i < parts_a.size(); ++i) {
      for (std::size_t j = 0; j < parts_b.size(); ++j) {
        const Manifold one =
            contacts_between(parts_a.part(i), parts_a.pose_of(i, pose_a), parts_b.part(j),
                             parts_b.pose_of(j, pose_b), library, 0.0);
        least = std::min(least, one.deepest().gap);
      }
    }
    const Manifold found = contacts_between(a, pose_a, b, pose_b, library, 0.2);
    const Manifold turned = contacts_between(b, pose_b, a, pose_a, library, 0.2);
    ASSERT_EQ(found.size(), turned.size());
    std::set<std::int64_t> features;
    for (const ContactPoint& point : found) {
      features.insert(point.feature);
      EXPECT_LT((point.point_a - point.point_b - point.gap * point.normal).norm(), 1e-12);
    }
    EXPECT_EQ(features.size(), found.size());
    EXPECT_NEAR(found.deepest().gap, turned.deepest().gap, 1e-12);
    if (least > 0.0) {
      EXPECT_NEAR(found.deepest().gap, least, 1e-12) << k;
      const Vec3 p = pose_b.to_body(found.deepest().point_a);
      EXPECT_NEAR(nearest_of(b, p, library).distance, least, 1e-9);
    }
  }
}

TEST(Clump, PointsOfABallInANarrowHoleHaveNumbersOfTheirOwn) {
  const OneClump dumbbell({part_at(Sphere{0.3}, {0, 0, -0.5}), part_at(Sphere{0.3}, {0, 0, 0.5})});
  const HollowCylinder hole{{0.31, 0.31, -9.0, 9.0}};
  const Manifold found = dumbbell.with(hole, {Vec3(0.001, 0, 0), Quat::Identity()}, 0.1);
  ASSERT_GT(found.size(), 2U);
  std::set<std::int64_t> features;
  for (const ContactPoint& point : found) features.insert(point.feature);
  EXPECT_EQ(features.size(), found.size());
}

TEST(Clump, ACrackBetweenHullsIsNotFelt) {
  const OneClump clump(
      {part_at(Box{{0.5, 1.0, 0.5}}, {-0.5, 0, 0}), part_at(Box{{0.5, 1.0, 0.5}}, {0.5001, 0, 0})});
  // half a millimetre deep into both: the way out is up, not along the crack
  const Manifold found = clump.with(Box{{0.2, 0.2, 0.2}}, {Vec3(-0.1999, 0.0, 0.6995)}, 0.01);
  for (const ContactPoint& point : found) {
    EXPECT_LT((point.normal + Vec3::UnitZ()).norm(), 1e-9);
  }
}

TEST(ClumpMass, OfPlatesThatAreGluedTogetherIsTheirSum) {
  const Box plate{{0.5, 0.5, 5e-4}};
  const OneClump flush({part_at(plate, {0, 0, 0}), part_at(plate, {0.013, 0.027, 1e-3})});
  EXPECT_NEAR(flush.parts().volume / 2e-3, 1.0, 1e-12);
  // half in each other: coarser, in a bounded time
  const OneClump half({part_at(plate, {0, 0, 0}), part_at(plate, {0, 0, 5e-4})});
  EXPECT_NEAR(half.parts().volume / 1.5e-3, 1.0, 0.1);
}

TEST(Clump, IsAsLargeAsItIsScaled) {
  const OneClump clump(ell(false));
  EXPECT_NEAR(volume(Clump{0, 0.1}, clump.library), 3e-3, 1e-12);
  EXPECT_NEAR(bounding_radius(Clump{0, 0.1}, clump.library),
              0.1 * bounding_radius(Clump{0, 1.0}, clump.library), 1e-15);
  const Box3 box =
      box_of(Clump{0, 2.0}, {2.0 * clump.as_given().position, clump.as_given().orientation},
             clump.library);
  EXPECT_LT((box.low - Vec3(-2.0, -1.0, 0.0)).norm(), 1e-9);
  EXPECT_LT((box.high - Vec3(2.0, 1.0, 4.0)).norm(), 1e-9);
}

TEST(ShapeLibrary, HasAClumpOnce) {
  ShapeLibrary library;
  const Polyhedron pebble{library.add(hull_of(dodecahedron(), "a test")), 0.4};
  const Parts parts{part_at(pebble, {0, 0, 0}), part_at(Sphere{0.5}, {0.5, 0, 0})};
  ShapeLibrary run;
  run.add(cuboid({1, 2, 3}));
  const std::int32_t first = run.add(clump_of(parts, library), library);
  EXPECT_EQ(run.add(clump_of(parts, library), library), first);
  EXPECT_EQ(run.size(), 2);
  EXPECT_EQ(run.clumps()[0]->parts[0].shape.get<Polyhedron>().handle, 1);
  Parts other = parts;
  other[1].shape = Sphere{0.51};
  EXPECT_NE(run.add(clump_of(other, library), library), first);
}

TEST(ClumpMass, NoPartsAndTooManyAreRefused) {
  const ShapeLibrary library;
  EXPECT_THROW(clump_of({}, library), InputError);
  EXPECT_THROW(clump_of(Parts(kMostParts + 1, part_at(Sphere{1.0}, {0, 0, 0})), library),
               InputError);
}

}  // namespace
}  // namespace scree::test
