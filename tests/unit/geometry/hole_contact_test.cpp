#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/box.hpp"
#include "scree/geometry/shapes/capsule.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"
#include "scree/geometry/shapes/polyhedron.hpp"
#include "scree/geometry/shapes/round_hole.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "support/hulls.hpp"
#include "unit/geometry/separation_oracle.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kEndless = std::numeric_limits<double>::infinity();
constexpr double kFar = 100.0;
constexpr int kPairs = 250;  ///< with each of seven holes
// Lengths are of order one. What is computed from them in a few steps is exact to 1e-12; an angle
// that is found as a slope's root is so to 1e-8 at worst where the function is nearly level, which
// leaves 1e-9 in places (and its square in gaps).
const ShapeLibrary kNoHulls;

Shape tube(double radius) {
  return HollowCylinder{{radius, radius, -kEndless, kEndless}};
}
Shape pipe(double radius, double length) {
  return HollowCylinder{{radius, radius, 0.0, length}};
}
Shape cone(double low_radius, double high_radius, double height) {
  return HollowCone{{low_radius, high_radius, 0.0, height}};
}
Shape orifice(double radius, double thickness) {
  return Orifice{{radius, radius, -thickness, 0.0}};
}

/// Wide and narrow, opening upwards and downwards, thick and thin, with a tip, without ends.
std::vector<Shape> holes() {
  return {tube(1.2),           pipe(0.9, 1.5),    cone(0.2, 1.4, 1.0), cone(1.3, 0.4, 1.2),
          cone(0.0, 1.5, 1.0), orifice(0.5, 0.3), orifice(1.0, 1.0)};
}

double distance(const Shape& hole, const Vec3& p) {
  return hole_of(hole)->nearest(p).distance;
}

/// Anywhere about the hole; each fifth of the @p k on its axis, each seventh along it.
Pose random_pose(Random& random, int k) {
  const Vec3 position(uniform(random, -1.2, 1.2), uniform(random, -1.2, 1.2),
                      uniform(random, -1.5, 2.5));
  return {k % 5 == 0 ? Vec3(0.0, 0.0, position.z()) : position,
          k % 7 == 0 ? Quat::Identity() : random_turn(random)};
}

void expect_points_agree(const Shape& hole, const Manifold& manifold) {
  for (const ContactPoint& p : manifold) {
    EXPECT_NEAR(p.normal.norm(), 1.0, 1e-12);
    EXPECT_LT((p.point_a - p.point_b - p.gap * p.normal).norm(), 1e-12);
    EXPECT_GE(p.gap, manifold.deepest().gap);
    const auto same = [&p](const ContactPoint& q) { return q.feature == p.feature; };
    EXPECT_EQ(std::count_if(manifold.begin(), manifold.end(), same), 1) << p.feature;
    // the hole's point is on its surface, or on a plane that touches this
    if (manifold.deepest().gap > 0.0) {
      EXPECT_LT(distance(hole, p.point_b), 1e-9);
    }
  }
  // apart, the deepest gap is the distance of a point of the body, and so never less than the least
  // one
  const ContactPoint& deepest = manifold.deepest();
  if (deepest.gap > 0.0) {
    EXPECT_NEAR(distance(hole, deepest.point_a), deepest.gap, 1e-9);
    EXPECT_NEAR(distance(hole, deepest.point_b), 0.0, 1e-9);
  }
}

/// The least distance of an ellipsoid's surface from the solid, from thousands of its points.
double sampled_gap(const Ellipsoid& e, const Pose& pose, const Shape& hole,
                   const std::vector<Vec3>& sampled) {
  const auto inwards = [&](const Vec3& m) { return -distance(hole, pose.to_world(e.support(m))); };
  return -largest_on_sphere(inwards, sampled, 6);
}

TEST(HoleContact, EllipsoidsAgreeWithDenseSampling) {
  Random random(1);
  const std::vector<Vec3> sampled = directions(1500);
  int n_apart = 0;
  for (const Shape& hole : holes()) {
    for (int k = 0; k < kPairs; ++k) {
      Ellipsoid e = random_ellipsoid(random);
      e = e.scaled(k % 2 == 0 ? 1.0 : 0.4);
      const Pose pose = random_pose(random, k);
      const Manifold m = contacts_between(e, pose, hole, {}, kNoHulls, 0.02);
      ASSERT_EQ(m.status, SeparationStatus::solved);
      expect_points_agree(hole, m);
      const double slow = sampled_gap(e, pose, hole, sampled);
      if (slow <= 0.0) {
        EXPECT_LT(m.deepest().gap, 1e-9) << k << type_of(hole);
        continue;
      }
      ++n_apart;
      // the search by compass leaves creases a little high
      EXPECT_LE(m.deepest().gap, slow + 1e-9) << k << " " << type_of(hole);
      EXPECT_GE(m.deepest().gap, slow - 1e-3) << k << " " << type_of(hole);
      EXPECT_NEAR(off_surface(e, pose, m.deepest().point_a), 0.0, 1e-9);
    }
  }
  EXPECT_GT(n_apart, 1000);
}

/// The points of a body's edges and faces are no nearer than what is found.
template <class Points>
void expect_nearest_of(const Shape& body, const Pose& pose, const ShapeLibrary& library,
                       const Shape& hole, const Points& points, double spacing, int& n_apart) {
  const Manifold m = contacts_between(body, pose, hole, {}, library, 0.02);
  ASSERT_EQ(m.status, SeparationStatus::solved);
  expect_points_agree(hole, m);
  double sampled = kEndless;
  for (const Vec3& p : points) sampled = std::min(sampled, distance(hole, pose.to_world(p)));
  if (sampled <= 0.0) {
    EXPECT_LT(m.deepest().gap, 1e-9) << type_of(hole);
    return;
  }
  if (m.deepest().gap < 0.0) {
    EXPECT_LT(sampled, spacing);  // between samples
    return;
  }
  ++n_apart;
  EXPECT_LE(m.deepest().gap, sampled + 1e-12) << type_of(hole);
  EXPECT_GE(m.deepest().gap, sampled - spacing) << type_of(hole);
}

TEST(HoleContact, BoxesAgreeWithDenseSampling) {
  Random random(2);
  constexpr int kSide = 24;
  int n_apart = 0;
  for (const Shape& hole : holes()) {
    for (int k = 0; k < kPairs; ++k) {
      const Vec3 half(uniform(random, 0.05, 0.6), uniform(random, 0.05, 0.6),
                      uniform(random, 0.05, 1.2));
      std::vector<Vec3> points;
      for (int face = 0; face < 6; ++face) {
        for (int i = 0; i <= kSide; ++i) {
          for (int j = 0; j <= kSide; ++j) {
            Vec3 p;
            p[face % 3] = face < 3 ? 1.0 : -1.0;
            p[(face + 1) % 3] = 2.0 * i / kSide - 1.0;
            p[(face + 2) % 3] = 2.0 * j / kSide - 1.0;
            points.emplace_back(half.cwiseProduct(p));
          }
        }
      }
      const Box box{{half.x(), half.y(), half.z()}};
      // more than half of a cell's diagonal
      const double spacing = 2.0 * half.norm() / kSide;
      expect_nearest_of(box, random_pose(random, k), kNoHulls, hole, points, spacing, n_apart);
    }
  }
  EXPECT_GT(n_apart, 500);
}

/// A thin capsule through the sharp corner of a cone's wall and its lower face overlaps there,
/// where neither of its ends, nor the wall, nor the face sees it.
TEST(HoleContact, ACapsuleThroughTheCornerAtARimOverlaps) {
  const Shape hole = cone(0.2, 1.4, 1.0);
  const Capsule capsule{0.0236, 1.553};
  for (const double beside : {0.22, 0.25, 0.27, 0.29}) {  // of the axis, where it meets the face
    const Vec3 crossing(0.0, beside, 0.0);
    const Vec3 along = Vec3(0.0, 0.25, 1.4).normalized();
    const Pose pose{crossing + 0.55 * along, rotation_between(Vec3::UnitZ(), along)};
    const Manifold m = contacts_between(capsule, pose, hole, {}, kNoHulls, 0.02);
    ASSERT_EQ(m.status, SeparationStatus::solved);
    double sampled = 0.0;
    for (double s = -0.7; s < 0.7; s += 1e-3) {
      sampled = std::min(sampled, distance(hole, pose.position + s * along));
    }
    ASSERT_LT(sampled, -0.005);
    EXPECT_LT(m.deepest().gap, 0.9 * sampled) << beside;
  }
}

TEST(HoleContact, CapsulesAgreeWithDenseSamplingOfTheirCore) {
  Random random(3);
  constexpr int kAlong = 2000;
  int n_apart = 0;
  for (const Shape& hole : holes()) {
    for (int k = 0; k < kPairs; ++k) {
      const Capsule capsule{uniform(random, 0.02, 0.3), uniform(random, 0.1, 2.0)};
      const Pose pose = random_pose(random, k);
      const Manifold m = contacts_between(capsule, pose, hole, {}, kNoHulls, 0.02);
      ASSERT_EQ(m.status, SeparationStatus::solved);
      expect_points_agree(hole, m);
      double sampled = kEndless;
      for (int i = 0; i <= kAlong; ++i) {
        const Vec3 p(0.0, 0.0, capsule.length * (static_cast<double>(i) / kAlong - 0.5));
        sampled = std::min(sampled, distance(hole, pose.to_world(p)));
      }
      if (sampled <= capsule.length / kAlong) {  // the core meets the solid, or all but
        if (sampled <= 0.0) {
          EXPECT_LT(m.deepest().gap, 0.0) << k << type_of(hole);
        }
        continue;
      }
      ++n_apart;
      EXPECT_LE(m.deepest().gap, sampled - capsule.radius + 1e-12) << k << type_of(hole);
      EXPECT_GE(m.deepest().gap, sampled - capsule.radius - 0.5 * capsule.length / kAlong);
    }
  }
  EXPECT_GT(n_apart, 1000);
}

TEST(HoleContact, StonesAgreeWithTheBoxOfTheirCorners) {
  Random random(4);
  ShapeLibrary library;
  const Shape stone = Polyhedron{library.add(cuboid({1, 1, 1})), 1.0};
  const double half = std::cbrt(volume(stone, library)) / 2.0;
  int n = 0;
  const Shape box = Box{{half, half, half}};
  for (const Shape& hole : {cone(0.3, 2.4, 1.5), orifice(1.1, 0.4)}) {
    for (int k = 0; k < 200; ++k) {
      const Pose pose = random_pose(random, k);
      const Manifold one = contacts_between(stone, pose, hole, {}, library, 0.1);
      const Manifold other = contacts_between(box, pose, hole, {}, library, 0.1);
      const double least = std::min(one.deepest().gap, other.deepest().gap);
      if (least < -0.05) continue;  // of several ways out of the solid each may take another
      ++n;
      EXPECT_NEAR(one.deepest().gap, other.deepest().gap, 1e-9) << k;
    }
  }
  EXPECT_GT(n, 100);
}

/// A body that overlaps a little is parted by its gap along its normal, within a few steps where
/// corners meet edges.
TEST(HoleContact, MovingOutByTheGapsLeavesATouch) {
  Random random(5);
  int n = 0;
  int n_stuck = 0;
  for (const Shape& hole : holes()) {
    for (int k = 0; k < kPairs; ++k) {
      const Shape bodies[] = {random_ellipsoid(random).scaled(0.4), Capsule{0.1, 0.7},
                              Box{{0.2, 0.3, 0.1}}};
      const Shape& body = bodies[k % 3];
      Pose pose = random_pose(random, 1);
      const ContactPoint apart = contacts_between(body, pose, hole, {}, kNoHulls, 0.0).deepest();
      if (apart.gap < 1e-6) continue;
      ++n;
      for (const double gap : {1e-8, 0.0, -1e-8, -1e-5}) {
        Pose at = pose;
        at.position += (gap - apart.gap) * apart.normal;
        ContactPoint found = contacts_between(body, at, hole, {}, kNoHulls, 0.0).deepest();
        // a body's corner may leave past a rim on a shorter way; another point may come first
        EXPECT_LE(found.gap, std::max(gap, 0.0) + 1e-10) << k << type_of(hole) << type_of(body);
        const bool smooth = !body.is<Box>();
        if (smooth && found.feature == apart.feature) {
          EXPECT_NEAR(found.gap, gap, 1e-9) << k << type_of(hole) << type_of(body);
        }
        const Vec3 before = at.position;
        for (int step = 0; step < 20 && found.gap < -1e-12; ++step) {
          at.position -= found.gap * found.normal;
          found = contacts_between(body, at, hole, {}, kNoHulls, 0.0).deepest();
        }
        EXPECT_GE(found.gap, -std::abs(gap) - 1e-10) << k << type_of(hole) << type_of(body);
        n_stuck += found.gap < -1e-10;
        if (found.feature == apart.feature) {
          EXPECT_LE((at.position - before).norm(), 2.0 * std::abs(gap) + 1e-9)
              << k << type_of(hole) << type_of(body);
        }
      }
    }
  }
  EXPECT_GT(n, 600);
  // a sharp rim in a corner: each way out leads back into the other, which a step's constraints
  // hold together
  EXPECT_LE(n_stuck, n / 1000);
}

TEST(HoleContact, AnEggInACupIsHeldAllAround) {
  // a spheroid upright in a cone of 45 degrees: h(n) = sqrt((a^2 + c^2)/2) along its normals
  const Ellipsoid egg{{0.3, 0.3, 0.4}};
  const double reach = std::sqrt(0.5 * (0.09 + 0.16));
  const double height = reach * std::numbers::sqrt2 + 0.01 * std::numbers::sqrt2;
  const Manifold m = contacts_between(egg, {Vec3(0, 0, height), Quat::Identity()},
                                      cone(0.0, 2.0, 2.0), {}, kNoHulls, 0.1);
  ASSERT_EQ(m.size(), 4U);
  Vec3 sum = Vec3::Zero();
  for (const ContactPoint& p : m) {
    EXPECT_NEAR(p.gap, 0.01, 1e-14);
    sum += p.normal;
  }
  EXPECT_LT((sum - Vec3(0, 0, 4.0 * std::sqrt(0.5))).norm(), 1e-13);
}

TEST(HoleContact, ACapsuleAcrossAnOrificeRestsOnTwoPointsOfItsRim) {
  const Pose lying{Vec3(0.1, 0.0, 0.13), rotation_by({0, std::numbers::pi / 2, 0})};
  const Manifold m =
      contacts_between(Capsule{0.1, 2.0}, lying, orifice(0.5, 0.2), {}, kNoHulls, 0.1);
  int on_rim = 0;
  for (const ContactPoint& p : m) {
    EXPECT_NEAR(p.gap, 0.03, 1e-14);
    EXPECT_LT((p.normal - Vec3::UnitZ()).norm(), 1e-12);
    on_rim += std::abs(p.point_b.head<2>().norm() - 0.5) < 1e-9 && std::abs(p.point_b.y()) < 1e-9;
  }
  EXPECT_EQ(on_rim, 2);
  EXPECT_EQ(m.size(), 4U) << "and with its ends on the plate";
}

TEST(HoleContact, ABarThatLeansOutOfTheHoleRestsOnTheRimAtItsEdges) {
  const Pose leaning{Vec3(0.45, 0.0, 0.1), rotation_by({0, -0.5, 0})};
  const Box bar{{0.6, 0.05, 0.02}};
  const Manifold m = contacts_between(bar, leaning, orifice(0.5, 0.2), {}, kNoHulls, 0.1);
  ASSERT_GE(m.size(), 2U);
  EXPECT_NEAR(m[0].gap, m[1].gap, 1e-12);
  EXPECT_NEAR(m[0].point_b.y() + m[1].point_b.y(), 0.0, 1e-9);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(m[i].point_b.head<2>().norm(), 0.5, 1e-12);
    EXPECT_NEAR(std::abs(leaning.to_body(m[i].point_a).y()), 0.05, 1e-9);
    EXPECT_GT(m[i].normal.z(), 0.8);
  }
}

/// About the axis both ends of a long ellipsoid are as near the wall.
TEST(HoleContact, BothEndsOfALongEllipsoidAcrossAHoleAreMet) {
  const Ellipsoid e{{0.1, 0.2, 0.9}};
  for (int k = 0; k < 50; ++k) {
    Pose pose{Vec3::Zero(), Quat(Eigen::AngleAxisd(0.12 * k, Vec3::UnitZ())) *
                                Quat(Eigen::AngleAxisd(1.2, Vec3::UnitX()))};
    const Vec3 end = pose.orientation * Vec3::UnitZ();
    for (const double shift : {0.0, 0.01, -0.01}) {
      pose.position = shift * Vec3(end.x(), end.y(), 0.0);
      const Manifold m = contacts_between(e, pose, tube(1.0), {}, kNoHulls, 0.3);
      ASSERT_EQ(m.size(), 2U);
      EXPECT_NEAR(m[1].gap - m[0].gap, 2.0 * std::abs(shift) * end.head<2>().norm(), 1e-12);
      EXPECT_LT(m[0].point_a.dot(end) * m[1].point_a.dot(end), 0.0);
    }
  }
}

TEST(HoleContact, WhatIsDeepInTheSolidLeavesOnTheWayOfItsCentre) {
  const Pose inside{Vec3(2.0, 0.0, -0.1), rotation_by({0.4, 0.7, 0.2})};
  for (const Shape& body : {Shape(Ellipsoid{{0.3, 0.2, 0.6}}), Shape(Capsule{0.2, 0.3})}) {
    const Manifold m = contacts_between(body, inside, orifice(0.5, 0.4), {}, kNoHulls, kFar);
    ASSERT_EQ(m.status, SeparationStatus::solved);
    EXPECT_LT(m.deepest().gap, -0.2);
    EXPECT_NEAR(std::abs(m.deepest().normal.z()), 1.0, 1e-12);
  }
}

/// Wherever the hole is and however it is turned, and whichever of the two is named first.
TEST(HoleContact, TheAnswerMovesWithBoth) {
  Random random(7);
  ShapeLibrary library;
  const Shape stone =
      Polyhedron{library.add(hull_of(pebble(60, Vec3(0.5, 0.4, 0.3), random), "pebble")), 1.0};
  for (const Shape& hole : holes()) {
    for (int k = 0; k < 200; ++k) {
      const Shape bodies[] = {random_ellipsoid(random).scaled(0.4), Capsule{0.1, 0.7},
                              Box{{0.2, 0.3, 0.1}}, stone};
      const Shape& body = bodies[k % 4];
      const Pose pose = random_pose(random, 1);
      const Pose moved{Vec3(3.0, -1.0, 2.0), random_turn(random)};
      const Pose carried{moved.to_world(pose.position), moved.orientation * pose.orientation};
      const Manifold one = contacts_between(body, pose, hole, {}, library, 0.1);
      const Manifold other = contacts_between(body, carried, hole, moved, library, 0.1);
      const Manifold turned = contacts_between(hole, moved, body, carried, library, 0.1);
      ASSERT_EQ(one.size(), other.size());
      ASSERT_EQ(one.size(), turned.size());
      EXPECT_NEAR(one.deepest().gap, other.deepest().gap, 1e-11) << k << type_of(hole);
      EXPECT_EQ(turned.deepest().gap, other.deepest().gap);
      EXPECT_EQ(turned.deepest().normal, -other.deepest().normal);
      EXPECT_EQ(turned.deepest().point_a, other.deepest().point_b);
      if (one.deepest().feature != other.deepest().feature) continue;  // two are as deep
      const ContactPoint& p = other.deepest();
      EXPECT_LT((moved.orientation * one.deepest().normal - p.normal).norm(), 1e-7);
      EXPECT_LT((moved.to_world(one.deepest().point_a) - p.point_a).norm(), 1e-7);
    }
  }
}

TEST(HoleContact, ACornerDoesNotGoThroughTheTipOfAClosedCone) {
  // along its diagonal a cube's edges stand at 54.7 degrees from the axis, the wall at 68
  const Quat on_corner = rotation_between(Vec3(-1, -1, -1), -Vec3::UnitZ());
  const double half = 0.1;
  for (const double depth : {1e-9, 1e-6, 1e-3, 1e-2}) {
    const Pose pose{Vec3(0.3 * depth, 0.0, std::sqrt(3.0) * half - depth), on_corner};
    const Manifold m =
        contacts_between(Box{{half, half, half}}, pose, cone(0.0, 2.5, 1.0), {}, kNoHulls, 0.0);
    EXPECT_LT(m.deepest().gap, -0.9 * depth);
    for (const ContactPoint& p : m) EXPECT_GT(p.normal.z(), 0.9);
    EXPECT_EQ(m.size(), 3U) << "held on all sides";
  }
}

/// Larger than the cone, so that its middle is nearest to the rim above; and just off the axis.
TEST(HoleContact, ALargeBodyDoesNotGoThroughTheTipOfASmallCone) {
  const Quat on_corner = rotation_between(Vec3(-1, -1, -1), -Vec3::UnitZ());
  for (const double aside : {0.0, 1e-7}) {
    const Pose pose{Vec3(aside, 0.0, std::sqrt(3.0) - 1e-6), on_corner};
    const Manifold m =
        contacts_between(Box{{1.0, 1.0, 1.0}}, pose, cone(0.0, 0.5, 0.2), {}, kNoHulls, 0.0);
    EXPECT_LT(m.deepest().gap, -0.9e-6);
    for (const ContactPoint& p : m) EXPECT_GT(p.normal.z(), 0.9);
  }
}

/// So deep that the points nearest to the wall are below the tip.
TEST(HoleContact, ANeedlePressedIntoTheTipOfAClosedConeIsHeldByTheWall) {
  const Ellipsoid needle{{0.01, 0.01, 0.5}};
  const double n_rho = 1.0 / std::sqrt(1.0 + 2.5 * 2.5);
  const double n_z = 2.5 * n_rho;
  const double reach = std::hypot(0.01 * n_rho, 0.5 * n_z);
  for (const double depth : {1e-6, 1e-4, 1e-3}) {
    const Pose pose{Vec3(0.0, 0.0, (reach - depth) / n_z), Quat::Identity()};
    const Manifold m = contacts_between(needle, pose, cone(0.0, 2.5, 1.0), {}, kNoHulls, 0.0);
    EXPECT_EQ(m.size(), 4U);
    for (const ContactPoint& p : m) {
      EXPECT_NEAR(p.gap, -depth, 1e-12);
      EXPECT_NEAR(p.normal.z(), n_z, 1e-12);
    }
  }
}

/// Of a prism with 24 corners near the wall eight points are kept: on all sides, and the deepest
/// among them.
TEST(HoleContact, ManyCornersAreThinnedToPointsOnAllSides) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 12; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / 12;
    for (const double z : {-0.5, 0.5}) {
      corners.emplace_back(std::cos(angle), std::sin(angle), z);
    }
  }
  ShapeLibrary library;
  const Shape prism = Polyhedron{library.add(hull_of(corners, "prism")), 1.0};
  const Pose pose{Vec3(0.004, 0.001, 0.0), rotation_by({0.002, 0.001, 0.1})};
  const double radius = 1.01 * support(prism, Vec3::UnitX(), library).x();
  const Manifold m = contacts_between(prism, pose, tube(radius), {}, library, 0.05);
  ASSERT_EQ(m.size(), Manifold::kCapacity);
  for (int i = 0; i < 16; ++i) {
    const Vec3 side(std::cos(i * std::numbers::pi / 8), std::sin(i * std::numbers::pi / 8), 0.0);
    double towards = -1.0;
    for (const ContactPoint& p : m) towards = std::max(towards, -p.normal.dot(side));
    EXPECT_GT(towards, 0.7) << "within 45 degrees of each side";
  }
  double deepest = kEndless;
  for (const Vec3& corner : corners) {
    const Vec3 at = pose.to_world(corner * (radius / 1.01));
    deepest = std::min(deepest, radius - std::hypot(at.x(), at.y()));
  }
  EXPECT_NEAR(m.deepest().gap, deepest, 1e-6);
}

/// The core of a capsule that lies through a rim: deeper than its radius.
TEST(HoleContact, ACoreThroughTheRimIsAnOverlapWhateverElseIsTouched) {
  const Pose through{Vec3(0.5, 0.0, 0.0), rotation_by({0.0, 0.8, 0.0})};
  const Manifold m =
      contacts_between(Capsule{0.05, 0.6}, through, orifice(0.5, 1.0), {}, kNoHulls, 0.0);
  EXPECT_LT(m.deepest().gap, -0.05);
}

TEST(HoleContact, WhatIsNoNumberIsNotSolved) {
  const Pose nowhere{Vec3(std::nan(""), 0.0, 0.0), Quat::Identity()};
  for (const Shape& hole : holes()) {
    for (const Shape& body :
         {Shape(Ellipsoid{{1, 1, 2}}), Shape(Capsule{1, 1}), Shape(Box{{1, 1, 1}})}) {
      EXPECT_EQ(contacts_between(body, nowhere, hole, {}, kNoHulls, 0.1).status,
                SeparationStatus::not_converged);
    }
  }
}

}  // namespace
}  // namespace scree
