#include "scree/geometry/pairs/contacts_between.hpp"

#include <gtest/gtest.h>

#include <limits>

#include <cmath>
#include <random>
#include <set>

#include "scree/base/check.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "support/hulls.hpp"
#include "support/random_vector.hpp"

namespace scree {
using test::random_vector;

namespace {

using Random = std::mt19937_64;

std::set<std::int64_t> features(const Manifold& m) {
  std::set<std::int64_t> numbers;
  for (const ContactPoint& p : m) numbers.insert(p.feature);
  return numbers;
}

/// Area of the polygon of the manifold's points, seen along the first normal.
double area(const Manifold& m) {
  double most = 0.0;
  for (const ContactPoint& a : m) {
    for (const ContactPoint& b : m) {
      for (const ContactPoint& c : m) {
        most = std::max(most, 0.5 * (b.point_a - a.point_a).cross(c.point_a - a.point_a).norm());
      }
    }
  }
  return most;
}

TEST(Contacts, OfACubeOnACubeAreItsFourCorners) {
  const ShapeLibrary library;
  const Shape cube = Box{{0.5, 0.5, 0.5}};
  Random random(1);
  const Pose frame{Vec3(3, -2, 7), rotation_by({0.3, 1.0, -0.4})};
  std::set<std::int64_t> first;
  for (int k = 0; k < 200; ++k) {
    // Aside by less than an edge, turned and tilted by what is left of rest.
    const double tilt = k == 0 ? 0.0 : std::pow(10.0, -12.0 + 0.045 * k);
    const Pose above{frame.to_world(Vec3(0.1, 0.2, 1.0 + 1e-7)),
                     frame.orientation * rotation_by(random_vector(random, tilt))};
    const Manifold m = contacts_between(cube, above, cube, frame, library, 0.01);
    ASSERT_EQ(m.size(), 4U) << k;
    EXPECT_EQ(m.status, SeparationStatus::solved);
    for (const ContactPoint& p : m) {
      EXPECT_LT((p.normal - frame.orientation * Vec3::UnitZ()).norm(), 2.0 * tilt + 1e-12);
      EXPECT_NEAR(p.gap, 1e-7, 1e-12 + tilt);
    }
    EXPECT_NEAR(area(m), 0.5 * 0.9 * 0.8, 2.0 * tilt + 1e-12);
    EXPECT_EQ(features(m).size(), 4U);
    EXPECT_EQ(features(m).count(0), 0U);
    if (k == 0) first = features(m);
  }
  // Moved without being turned the same features meet.
  for (int k = 0; k < 50; ++k) {
    const Pose above{frame.to_world(Vec3(0.1 + 0.01 * k / 50.0, 0.2, 1.0 - 1e-6 * k)),
                     frame.orientation};
    EXPECT_EQ(features(contacts_between(cube, above, cube, frame, library, 0.01)), first);
  }
}

TEST(Contacts, OfATwistedCubeOnACubeAreTheCornersOfAnOctagon) {
  const ShapeLibrary library;
  const Shape cube = Box{{0.5, 0.5, 0.5}};
  const Pose above{Vec3(0, 0, 1.0), rotation_by({0, 0, M_PI / 4})};
  const Manifold m = contacts_between(cube, above, cube, {}, library, 0.01);
  ASSERT_EQ(m.size(), 8U);
  EXPECT_EQ(features(m).size(), 8U);
  for (const ContactPoint& p : m) {
    EXPECT_NEAR(p.gap, 0.0, 1e-15);
    // The octagon's corners are where a side is cut at 1/2 - (1 - 1/sqrt 2) from its middle.
    EXPECT_NEAR(p.point_b.head<2>().cwiseAbs().maxCoeff(), 0.5, 1e-14);
    EXPECT_NEAR(p.point_b.head<2>().cwiseAbs().minCoeff(), std::sqrt(0.5) - 0.5, 1e-14);
  }
}

TEST(Contacts, OfManySidedFacesAreReducedToFourThatSpanThem) {
  ShapeLibrary library;
  const Shape disc = Polyhedron{library.add(hull_of(test::prism(24, 0.5), "disc")), 1.0};
  const Manifold m =
      contacts_between(disc, {Vec3(0, 0, 0.5), rotation_by({0, 0, 0.05})}, disc, {}, library, 0.01);
  ASSERT_EQ(m.size(), 4U);
  // A square in the circle holds triangles of area 1.
  EXPECT_GT(area(m), 0.9);
  const Manifold on_plane = contacts_between(disc, {Vec3(0, 0, 0.25), rotation_by({1e-9, 0, 0})},
                                             Plane{}, {}, library, 0.01);
  ASSERT_EQ(on_plane.size(), 4U);
  EXPECT_GT(area(on_plane), 0.9);
  EXPECT_NEAR(on_plane.deepest().gap, -1e-9, 1e-11);
}

TEST(Contacts, OfABallAreTheSameOnAPlaneABoxAndAPolyhedron) {
  ShapeLibrary library;
  std::vector<Vec3> corners;
  for (const Vec3& p : cuboid({1.0, 1.0, 0.5}).vertices) corners.push_back(p);
  const Shape box = Box{{1.0, 1.0, 0.5}};
  const Shape hull = Polyhedron{library.add(hull_of(corners, "box")), 1.0};
  Random random(2);
  for (int k = 0; k < 1000; ++k) {
    const Pose top{random_vector(random, 2.0), rotation_by(random_vector(random, 2.0))};
    const Pose middle{top.to_world({0, 0, -0.5}), top.orientation};
    const Pose in_file = library.hull(0).in_file;
    const Pose hull_pose{middle.to_world(in_file.position),
                         middle.orientation * in_file.orientation};
    const double height = std::pow(10.0, std::uniform_real_distribution<double>(-9, -1)(random));
    const double side = k % 2 == 0 ? 1.0 : -1.0;
    const Vec3 centre(0.5 * std::sin(k), 0.5 * std::cos(3 * k), 0.2 + side * height);
    const Pose ball{top.to_world(centre), Quat::Identity()};
    const ContactPoint p =
        contacts_between(Sphere{0.2}, ball, Plane{}, top, library, 0.0).deepest();
    EXPECT_NEAR(p.gap, side * height, 1e-14);
    for (const auto& [shape, pose] : {std::pair{box, middle}, std::pair{hull, hull_pose}}) {
      const Manifold m = contacts_between(Sphere{0.2}, ball, shape, pose, library, 0.0);
      ASSERT_EQ(m.size(), 1U);
      EXPECT_NEAR(m.deepest().gap, p.gap, 1e-12);
      EXPECT_LT((m.deepest().normal - p.normal).norm(), 1e-12);
      EXPECT_LT((m.deepest().point_a - p.point_a).norm(), 1e-12);
      EXPECT_LT((m.deepest().point_b - p.point_b).norm(), 1e-12);
      EXPECT_EQ(m.deepest().feature, 0);
    }
  }
}

TEST(Contacts, OfALyingCapsuleAreItsTwoEnds) {
  ShapeLibrary library;
  const Shape capsule = Capsule{0.2, 1.0};
  const Quat lying = rotation_by({0, M_PI / 2, 0});
  const Shape floors[] = {Plane{}, Box{{2, 2, 0.5}},
                          Polyhedron{library.add(hull_of(test::prism(6, 1.0), "prism")), 2.0}};
  const double heights[] = {0.0, 0.5, 1.0};
  for (int k = 0; k < 3; ++k) {
    for (const double tilt : {0.0, 1e-10, -1e-7, 1e-3}) {
      const Pose pose{Vec3(0, 0, heights[k] + 0.2 + 1e-3), rotation_by({0, tilt, 0}) * lying};
      const Manifold m = contacts_between(capsule, pose, floors[k], {}, library, 0.01);
      ASSERT_EQ(m.size(), 2U) << k << " " << tilt;
      EXPECT_NEAR(m[0].gap, 1e-3 - 0.5 * std::abs(std::sin(tilt)), 1e-14);
      EXPECT_NEAR(m[1].gap, 1e-3 + 0.5 * std::abs(std::sin(tilt)), 1e-14);
      EXPECT_NEAR(std::abs(m[0].point_a.x() - m[1].point_a.x()), 1.0, 1e-6);
      EXPECT_EQ(features(m).size(), 2U);
    }
  }
}

TEST(Contacts, OfParallelCapsulesAreTheEndsOfTheirCommonStretch) {
  const ShapeLibrary library;
  const Shape a = Capsule{0.2, 1.0};
  const Shape b = Capsule{0.3, 2.0};
  for (const double tilt : {0.0, 1e-12, 1e-7, 1e-3}) {
    const Pose pose{Vec3(0.6, 0, 0.7), rotation_by({0, tilt, 0})};
    const Manifold m = contacts_between(a, pose, b, {}, library, 0.2);
    ASSERT_EQ(m.size(), 2U) << tilt;
    std::set<double> heights;
    for (const ContactPoint& p : m) {
      EXPECT_NEAR(p.gap, 0.1, 0.6 * tilt + 1e-14);
      heights.insert(std::round(1e2 * p.point_b.z()));
    }
    EXPECT_EQ(heights, (std::set<double>{20.0, 100.0}));
  }
  // Across each other, end to end, and in one line they touch once.
  const Pose across{Vec3(0.6, 0, 0.0), rotation_by({M_PI / 2, 0, 0})};
  EXPECT_EQ(contacts_between(a, across, b, {}, library, 1.0).size(), 1U);
  const Manifold line =
      contacts_between(a, {Vec3(0, 0, 2.1), Quat::Identity()}, b, {}, library, 1.0);
  EXPECT_EQ(line.size(), 1U);
  EXPECT_NEAR(line.deepest().gap, 0.1, 1e-14);
}

TEST(Contacts, KeepOnlyPointsWithinTheMargin) {
  const ShapeLibrary library;
  const Shape cube = Box{{0.5, 0.5, 0.5}};
  // On one edge, tilted by a tenth: the other edge is 0.0998 up.
  const double s = std::sin(0.1);
  const Pose tilted{Vec3(0, 0, 0.5 * (std::cos(0.1) + s)), rotation_by({0.1, 0, 0})};
  for (const Shape& floor : {Shape(Plane{}), Shape(Box{{3, 3, 1}})}) {
    const Pose pose{floor.is<Box>() ? Vec3(0, 0, -1) : Vec3(0, 0, 0), Quat::Identity()};
    EXPECT_EQ(contacts_between(cube, tilted, floor, pose, library, 0.09).size(), 2U);
    const Manifold all = contacts_between(cube, tilted, floor, pose, library, 0.1);
    ASSERT_EQ(all.size(), 4U);
    EXPECT_NEAR(all[0].gap, 0.0, 1e-15);
    EXPECT_NEAR(all[3].gap, s, 1e-14);
    // Beyond the margin the deepest comes alone.
    const Pose high{tilted.position + Vec3(0, 0, 5), tilted.orientation};
    const Manifold far = contacts_between(cube, high, floor, pose, library, 0.1);
    ASSERT_EQ(far.size(), 1U);
    EXPECT_NEAR(far[0].gap, 5.0, 1e-14);
  }
}

TEST(Contacts, WithAPlaneAgreeWithTheSupportFunction) {
  ShapeLibrary library;
  Random random(7);
  const Shape pebble = Polyhedron{
      library.add(hull_of(test::pebble(50, Vec3(0.5, 0.7, 0.9), random), "pebble")), 1.3};
  const Shape shapes[] = {Sphere{0.3}, Capsule{0.2, 0.9}, Box{{0.1, 0.2, 2.0}}, pebble};
  for (int k = 0; k < 1000; ++k) {
    const Shape& shape = shapes[k % 4];
    const Pose pose{random_vector(random, 2.0), rotation_by(random_vector(random, 2.0))};
    const Pose wall{random_vector(random, 2.0), rotation_by(random_vector(random, 2.0))};
    const Vec3 up = wall.orientation * Vec3::UnitZ();
    const Vec3 lowest = pose.to_world(support(shape, pose.orientation.conjugate() * -up, library));
    const Manifold m = contacts_between(shape, pose, Plane{}, wall, library, 0.1);
    EXPECT_NEAR(m.deepest().gap, up.dot(lowest - wall.position), 1e-14);
    EXPECT_LT((m.deepest().point_a - lowest).norm(), 1e-12);
    const Manifold turned = contacts_between(Plane{}, wall, shape, pose, library, 0.1);
    ASSERT_EQ(turned.size(), m.size());
    EXPECT_EQ(turned.deepest().normal, -m.deepest().normal);
  }
}

TEST(Contacts, InACylinderAreTheVerticesAtItsWall) {
  const ShapeLibrary library;
  HollowCylinder cylinder;
  cylinder.low_radius = cylinder.high_radius = 1.0;
  cylinder.low = -std::numeric_limits<double>::infinity();
  cylinder.high = std::numeric_limits<double>::infinity();
  // A square rod along the axis, its corners 1e-3 from the wall on one side.
  const double half = 0.3;
  const double x = std::sqrt(std::pow(1.0 - 1e-3, 2) - half * half) - half;
  const Manifold rod = contacts_between(Box{{half, half, 1.0}}, {Vec3(x, 0, 0), Quat::Identity()},
                                        cylinder, {}, library, 0.01);
  ASSERT_EQ(rod.size(), 4U);
  for (const ContactPoint& p : rod) {
    EXPECT_NEAR(p.gap, 1e-3, 1e-14);
    EXPECT_NEAR(p.point_b.head<2>().norm(), 1.0, 1e-14);
    EXPECT_NEAR(p.normal.z(), 0.0, 1e-15);
  }
  const Manifold capsule = contacts_between(Capsule{0.2, 1.0}, {Vec3(0.79, 0, 0), Quat::Identity()},
                                            cylinder, {}, library, 0.02);
  ASSERT_EQ(capsule.size(), 2U);
  EXPECT_NEAR(capsule[0].gap, 0.01, 1e-15);
  // A ball meets what detection asks of it besides the nearest point.
  EXPECT_EQ(contacts_between(Sphere{0.9}, {}, cylinder, {}, library, 0.2).size(), 3U);
  EXPECT_EQ(contacts_between(Sphere{0.9}, {}, cylinder, {}, library, 0.05).size(), 1U);
}

TEST(Contacts, OfTwoWallsAreRefused) {
  EXPECT_THROW(contacts_between(Plane{}, {}, Plane{}, {}, {}, 0.0), Failure);
  EXPECT_THROW(contacts_between(Plane{}, {}, Orifice{}, {}, {}, 0.0), Failure);
}

TEST(ConvexShapes, GiveSupportBoundsRadiiAndInertiaThatAgree) {
  ShapeLibrary library;
  Random random(9);
  const Shape stone = Polyhedron{
      library.add(hull_of(test::pebble(60, Vec3(0.5, 0.7, 0.9), random), "pebble")), 0.7};
  for (const Shape& shape :
       {Shape(Sphere{0.3}), Shape(Capsule{0.2, 0.9}), Shape(Box{{0.1, 0.2, 0.5}}), stone}) {
    EXPECT_TRUE(is_convex_body(shape));
    double farthest = 0.0;
    double nearest = 1e300;
    for (int k = 0; k < 4000; ++k) {
      const Vec3 n = random_vector(random, 1.0).normalized();
      const Vec3 p = support(shape, n, library);
      farthest = std::max(farthest, p.norm());
      nearest = std::min(nearest, n.dot(p));
      // No other support point is farther along n.
      EXPECT_LE(n.dot(support(shape, random_vector(random, 1.0), library)), n.dot(p) + 1e-14);
    }
    // Of 4000 directions one is within 0.1 of any: 1 - cos 0.1 is 0.005; an edge is 0.1 r off.
    const double outer = bounding_radius(shape, library);
    EXPECT_LE(farthest, outer + 1e-14);
    EXPECT_GT(farthest, 0.99 * outer);
    EXPECT_GE(nearest, inscribed_radius(shape, library) - 1e-14);
    EXPECT_LT(nearest, inscribed_radius(shape, library) + 0.1 * outer);
    const Pose pose{random_vector(random, 1.0), rotation_by(random_vector(random, 2.0))};
    const Box3 box = box_of(shape, pose, library);
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 along = pose.orientation.conjugate() * Vec3::Unit(axis);
      EXPECT_NEAR(box.high[axis], pose.to_world(support(shape, along, library))[axis], 1e-14);
      EXPECT_NEAR(box.low[axis], pose.to_world(support(shape, -along, library))[axis], 1e-14);
    }
    const double r = equal_volume_radius(shape, library);
    EXPECT_NEAR(Sphere{r}.volume() / volume(shape, library), 1.0, 1e-14);
  }
  EXPECT_FALSE(is_convex_body(Plane{}));
  EXPECT_EQ(bounding_radius(Plane{}, library), std::numeric_limits<double>::infinity());
}

TEST(Capsule, HasTheVolumeAndInertiaOfItsSlices) {
  const Capsule capsule{0.3, 1.1};
  // Discs of radius r(z): dV = pi r^2 dz, about z dV r^2 / 2, across it dV (r^2 / 4 + z^2). The
  // midpoint rule with n slices is right to 1/n^2.
  constexpr int kSlices = 200000;
  const double top = 0.55 + 0.3;
  double volume = 0.0;
  double axial = 0.0;
  double across = 0.0;
  for (int k = 0; k < kSlices; ++k) {
    const double z = top * (2.0 * (k + 0.5) / kSlices - 1.0);
    const double beyond = std::max(0.0, std::abs(z) - 0.55);
    const double r2 = 0.09 - beyond * beyond;
    const double dv = M_PI * r2 * 2.0 * top / kSlices;
    volume += dv;
    axial += dv * 0.5 * r2;
    across += dv * (0.25 * r2 + z * z);
  }
  EXPECT_NEAR(capsule.volume(), volume, 1e-9);
  const Vec3 expected(across / volume, across / volume, axial / volume);
  EXPECT_LT((capsule.inertia_per_mass() - expected).norm(), 1e-9);
  const Capsule ball{0.3, 0.0};
  EXPECT_DOUBLE_EQ(ball.volume(), Sphere{0.3}.volume());
  EXPECT_LT((ball.inertia_per_mass() - Sphere{0.3}.inertia_per_mass()).norm(), 1e-16);
}

}  // namespace
}  // namespace scree
