#include "geometry/pairs/ellipsoid/ellipsoid_contacts.hpp"

#include <gtest/gtest.h>

#include "scree/geometry/shapes/ellipsoid.hpp"
#include "unit/geometry/brute_force_hull.hpp"
#include "unit/geometry/separation_oracle.hpp"

namespace scree {
namespace {

using namespace test;

Pose random_pose(Random& random) {
  return {Vec3(uniform(random, -1, 1), 2.0, -3.0), random_turn(random)};
}

void expect_on_ellipsoid(const Ellipsoid& e, const Pose& pose, const ContactPoint& point) {
  EXPECT_NEAR(point.normal.norm(), 1.0, 1e-14);
  EXPECT_LT((point.point_a - point.point_b - point.gap * point.normal).norm(), 1e-14);
  EXPECT_NEAR(off_surface(e, pose, point.point_a), 0.0, 1e-12);
}

TEST(EllipsoidContacts, OnAPlane) {
  Random random(1);
  const std::vector<Vec3> sampled = directions(500);
  for (int k = 0; k < 200; ++k) {
    const Ellipsoid e = random_ellipsoid(random);
    const Pose pose = random_pose(random);
    const Vec3 normal = random_direction(random);
    const Vec3 on_plane(0.3, 2.0, -2.5);
    const ContactPoint point = ellipsoid_and_plane(e, pose, normal, on_plane).deepest();
    EXPECT_EQ(point.normal, pose.orientation * (pose.orientation.conjugate() * normal));
    expect_on_ellipsoid(e, pose, point);
    EXPECT_NEAR(normal.dot(point.point_a - on_plane), point.gap, 1e-14);
    EXPECT_NEAR(normal.dot(point.point_b - on_plane), 0.0, 1e-14);
    for (const Vec3& m : sampled) {
      EXPECT_GE(normal.dot(pose.to_world(e.support(m)) - on_plane), point.gap - 1e-14);
    }
  }
}

TEST(EllipsoidContacts, WithABallAlsoInsideAndAtTheCentre) {
  Random random(2);
  const std::vector<Vec3> sampled = directions(500);
  constexpr double kRadius = 0.1;
  for (int k = 0; k < 5000; ++k) {
    const Ellipsoid e = random_ellipsoid(random);
    const Pose pose = random_pose(random);
    const Vec3 centre = pose.position + (k % 10 == 0 ? 0.0 : uniform(random, 0.0, 1.5)) *
                                            e.longest() * random_direction(random);
    const Manifold contact = ellipsoid_and_ball(e, pose, centre, kRadius);
    ASSERT_EQ(contact.status, SeparationStatus::solved);
    const ContactPoint& point = contact.deepest();
    expect_on_ellipsoid(e, pose, point);
    EXPECT_NEAR((point.point_b - centre).norm(), kRadius, 1e-14);
    const auto g = [&](const Vec3& n) {
      return n.dot(pose.position - centre) - reach(e, pose, n) - kRadius;
    };
    EXPECT_NEAR(g(point.normal), point.gap, 1e-14);
    EXPECT_GE(point.gap, largest_on_sphere(g, sampled, 3) - 1e-12) << k;
  }
}

struct Segment {
  Vec3 start, end;
  double reach(const Vec3& n) const { return std::max(n.dot(start), n.dot(end)); }
};

/// Beside the ellipsoid, through its centre, inside of it, along its axes, of no length.
Segment random_segment(Random& random, const Ellipsoid& e, const Pose& pose, int k) {
  const Vec3 middle = pose.position + (k % 5 == 0 ? 0.0 : uniform(random, 0.0, 1.5)) * e.longest() *
                                          random_direction(random);
  const Vec3 along =
      k % 3 == 0 ? Vec3(pose.orientation * Vec3::Unit(k % 9 / 3)) : Vec3(random_direction(random));
  const double half = k % 11 == 0 ? 0.0 : uniform(random, 0.01, 1.5);
  const double shift = k % 2 == 0 ? 0.0 : half;
  return {middle + (shift - half) * along, middle + (shift + half) * along};
}

TEST(EllipsoidContacts, WithACapsule) {
  Random random(3);
  const std::vector<Vec3> sampled = directions(600);
  constexpr double kRadius = 0.05;
  int n_deep = 0;
  for (int k = 0; k < 5000; ++k) {
    const Ellipsoid e = random_ellipsoid(random);
    const Pose pose = random_pose(random);
    const Segment core = random_segment(random, e, pose, k);
    const Manifold contact = ellipsoid_and_capsule(e, pose, core.start, core.end, kRadius);
    ASSERT_EQ(contact.status, SeparationStatus::solved);
    const ContactPoint& point = contact.deepest();
    expect_on_ellipsoid(e, pose, point);
    const auto g = [&](const Vec3& n) {
      return n.dot(pose.position) - reach(e, pose, n) - core.reach(n) - kRadius;
    };
    EXPECT_NEAR(g(point.normal), point.gap, 1e-13);
    EXPECT_GE(point.gap, largest_on_sphere(g, sampled, 4) - 1e-12) << k;
    n_deep += point.gap + kRadius < -e.rolling_radius();
    // The point of B is at its radius from the segment.
    const Vec3 along = core.end - core.start;
    const Vec3 from_start = point.point_b - core.start;
    const double place =
        along.isZero(0.0) ? 0.0 : std::clamp(from_start.dot(along) / along.squaredNorm(), 0.0, 1.0);
    EXPECT_NEAR((from_start - place * along).norm(), kRadius, 1e-11) << k;
  }
  EXPECT_GT(n_deep, 500);
}

/// From touching ends, from the side, and each gap set by a translation along the normal.
TEST(EllipsoidContacts, CapsuleGapsSetExactlyAreFoundExactly) {
  Random random(4);
  for (int k = 0; k < 5000; ++k) {
    const Ellipsoid e = random_ellipsoid(random);
    Pose pose = random_pose(random);
    const Segment core = random_segment(random, e, pose, k);
    pose.position += 6.0 * random_direction(random);
    const ContactPoint start = ellipsoid_and_capsule(e, pose, core.start, core.end, 0.0).deepest();
    ASSERT_GT(start.gap, 0.0);
    const Vec3 origin = pose.position;
    for (const double gap : {0.0, 1e-8, -1e-8, 1e-3, -0.9 * e.rolling_radius()}) {
      pose.position = origin + (gap - start.gap) * start.normal;
      const ContactPoint at = ellipsoid_and_capsule(e, pose, core.start, core.end, 0.0).deepest();
      EXPECT_NEAR(at.gap, gap, 1e-12 * 5.0) << k;
      if (gap < -1e-3) continue;
      EXPECT_LT((at.normal - start.normal).norm(), 1e-8) << k << " " << gap;
    }
  }
}

TEST(EllipsoidContacts, WhatIsNoNumberIsNotSolved) {
  const Ellipsoid e{{1.0, 0.5, 0.3}};
  const Pose nowhere{Vec3(std::nan(""), 0.0, 0.0), Quat::Identity()};
  const Vec3 zero = Vec3::Zero();
  const Vec3 up = Vec3::UnitZ();
  for (const Manifold& contact :
       {ellipsoid_and_plane(e, nowhere, up, zero), ellipsoid_and_ball(e, nowhere, zero, 1.0),
        ellipsoid_and_capsule(e, nowhere, zero, up, 1.0),
        ellipsoid_and_ellipsoid(e, nowhere, e, Pose{}),
        ellipsoid_and_hull(e, nowhere, cube(), Vec3::Ones(), Pose{}, 0.0)}) {
    EXPECT_EQ(contact.status, SeparationStatus::not_converged);
    EXPECT_EQ(contact.size(), 1U);
  }
}

}  // namespace
}  // namespace scree
