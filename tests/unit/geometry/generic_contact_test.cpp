#include "geometry/pairs/generic/generic_contact.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "support/hulls.hpp"
#include "unit/geometry/separation_oracle.hpp"

namespace scree {
namespace {

using namespace test;

/// A shape of the kind @p kind, from 0 to 7: the first three have no other route than the generic
/// one.
Shape random_generic(Random& random, int kind, std::int32_t hull) {
  const double radius = uniform(random, 0.05, 1.0);
  const double length = uniform(random, 0.1, 2.0);
  const auto side = [&random] { return uniform(random, 0.1, 1.0); };
  switch (kind) {
    case 0:
      return Cylinder{radius, length};
    case 1:
      return Cone{radius, length};
    case 2: {
      const bool is_elliptic = uniform(random, 0.0, 1.0) < 0.2;
      const auto exponent = [&] { return is_elliptic ? 2.0 : uniform(random, 2.0, 20.0); };
      return Superellipsoid{{side(), side(), side()}, {exponent(), exponent()}};
    }
    case 3:
      return Box{{side(), side(), side()}};
    case 4:
      return random_ellipsoid(random);
    case 5:
      return Capsule{0.3 * radius, length};
    case 6:
      return Sphere{radius};
    default:
      return Polyhedron{hull, 0.3};
  }
}

class GenericPair {
 public:
  GenericPair(const ShapeLibrary& library, const Shape& a, const Shape& b, const Pose& pose_a,
              const Pose& pose_b)
      : library_(library), a_(a), b_(b), pose_a_(pose_a), pose_b_(pose_b) {}

  double size() const { return bounding_radius(a_, library_) + bounding_radius(b_, library_); }
  Manifold contact(double margin = 0.0) const {
    return contacts_between(a_, pose_a_, b_, pose_b_, library_, margin);
  }
  Manifold turned_round(double margin) const {
    return contacts_between(b_, pose_b_, a_, pose_a_, library_, margin);
  }
  double separation(const Vec3& n) const { return -reach(a_, pose_a_, -n) - reach(b_, pose_b_, n); }

 private:
  /// h(n) about A's centre.
  double reach(const Shape& shape, const Pose& pose, const Vec3& n) const {
    return n.dot(pose.position - pose_a_.position +
                 pose.orientation * support(shape, pose.orientation.conjugate() * n, library_));
  }

  const ShapeLibrary& library_;
  Shape a_, b_;
  Pose pose_a_, pose_b_;
};

/// Concentric for every eleventh @p k, deep for another, parallel for every seventh.
GenericPair random_pair(Random& random, const ShapeLibrary& library, int k, int kind_a,
                        int kind_b) {
  const Shape a = random_generic(random, kind_a, 0);
  const Shape b = random_generic(random, kind_b, 0);
  const double size = bounding_radius(a, library) + bounding_radius(b, library);
  const double distance = k % 11 == 0 ? 0.0 : uniform(random, 0.0, k % 11 == 1 ? 0.1 : 1.1);
  const Pose pose_a{Vec3(uniform(random, -1, 1), 2.0, -3.0), random_turn(random)};
  const Pose pose_b{pose_a.position + distance * size * random_direction(random),
                    k % 7 == 0 ? pose_a.orientation : random_turn(random)};
  return {library, a, b, pose_a, pose_b};
}

ShapeLibrary with_a_pebble(Random& random) {
  ShapeLibrary library;
  library.add(hull_of(pebble(40, {3.0, 2.0, 1.5}, random), "pebble"));
  return library;
}

/// By the kind of A (random_generic); B is of every kind.
class GenericPairsOf : public testing::TestWithParam<int> {};

TEST_P(GenericPairsOf, HaveTheGlobalMaximumOverDirectionsForAGap) {
  Random random(1);
  const ShapeLibrary library = with_a_pebble(random);
  const std::vector<Vec3> sampled = directions(250);
  int n_apart = 0;
  int n_deep = 0;
  int n_missed = 0;  // another way out of a deep overlap, nearly as short
  for (int k = 0; k < 5000; ++k) {
    const GenericPair pair = random_pair(random, library, k, GetParam(), k % 8);
    const Manifold contact = pair.contact();
    ASSERT_EQ(contact.status, SeparationStatus::solved) << k;
    const ContactPoint& point = contact.deepest();
    const double size = pair.size();
    EXPECT_NEAR(pair.separation(point.normal), point.gap, 1e-8 * size) << k;
    const auto g = [&pair](const Vec3& n) { return pair.separation(n); };
    // concentric with a ball to 1e-9, all directions around an axis are as good to that
    const double alike = k % 11 == 0 ? 1e-9 : 1e-10;
    const double missed = largest_on_sphere(g, sampled, 2) - point.gap;
    EXPECT_LE(missed, 3e-3 * size) << k;
    if (missed > alike * size) {
      ++n_missed;
      EXPECT_LT(point.gap, -0.1 * size) << k << " deep ones alone";
    }
    EXPECT_LT((point.point_a - point.point_b - point.gap * point.normal).norm(), 1e-12 * size);
    n_apart += point.gap > 0.0;
    n_deep += point.gap < -0.1 * size;
  }
  EXPECT_LE(n_missed, 1);
  EXPECT_GT(n_apart, 750);
  EXPECT_GT(n_deep, 1000);
}

/// A turned by at most a tenth from B, or from its sides, or, of cones, from their slant.
Quat nearly_along(Random& random, const Quat& turn, int k) {
  const double tilt = std::pow(10.0, uniform(random, -9.0, -1.0));
  const double slant = std::atan2(uniform(random, 0.5, 1.5), uniform(random, 0.5, 3.0));
  const double quarters = 0.5 * std::numbers::pi * (k % 3);
  const Quat along(Eigen::AngleAxisd(quarters + (k % 2 == 0 ? 0.0 : slant), Vec3::UnitX()));
  return (Eigen::AngleAxisd(tilt, random_direction(random)) * turn * along).normalized();
}

/// A gap counts as solved where it is known to 1e-8 of the size.
TEST_P(GenericPairsOf, ThatAreNearlyParallelAndNearlyTouchAreSolved) {
  Random random(7);
  const ShapeLibrary library = with_a_pebble(random);
  for (int k = 0; k < 8000; ++k) {
    const Shape a = random_generic(random, GetParam(), 0);
    const Shape b = k % 8 == GetParam() ? a : random_generic(random, k % 8, 0);
    const double size = bounding_radius(a, library) + bounding_radius(b, library);
    const Pose pose_a{Vec3(0.3, 2.0, -3.0), random_turn(random)};
    const Quat turn_b = nearly_along(random, pose_a.orientation, k);
    const Vec3 away =
        (pose_a.orientation * Vec3::UnitZ() + uniform(random, 0.0, 2.0) * random_direction(random))
            .normalized();
    const Pose at_a{pose_a.position, turn_b};
    const double touching = -GenericPair(library, a, b, pose_a, at_a).separation(-away);
    const double beyond = k % 5 == 0 ? -0.3 : std::pow(10.0, uniform(random, -7.0, -1.0));
    const Pose pose_b{pose_a.position + (touching + (k % 2 == 0 ? beyond : -beyond) * size) * away,
                      turn_b};
    const GenericPair pair(library, a, b, pose_a, pose_b);
    const Manifold contact = pair.contact();
    ASSERT_EQ(contact.status, SeparationStatus::solved) << k;
    const ContactPoint& point = contact.deepest();
    EXPECT_NEAR(pair.separation(point.normal), point.gap, 1e-8 * size) << k;
    for (int i = 0; i < 20; ++i) {
      const double turn = std::pow(10.0, uniform(random, -7.0, 0.3));
      const Vec3 beside = (point.normal + turn * random_direction(random)).normalized();
      EXPECT_LE(pair.separation(beside), point.gap + 1e-8 * size) << k;
    }
  }
}

std::string name_of_kind(const testing::TestParamInfo<int>& kind) {
  return kind.param == 0 ? "Cylinder" : kind.param == 1 ? "Cone" : "Superellipsoid";
}
INSTANTIATE_TEST_SUITE_P(OfEachShape, GenericPairsOf, testing::Range(0, 3), name_of_kind);

/// One of a bed of cones, whose slant is 5e-4 from the base of the other and bears on its rim. No
/// direction beside the normal parts them by less, to rounding of poses that are 0.2 m from the
/// origin; the depth is that of an older search with 384 points, to 1e-9 m.
TEST(GenericContact, ASlantThatNearlyLiesOnABaseHasItsDeepestPoint) {
  const ShapeLibrary library;
  const Cone cone{0.013200000000000002, 0.024};
  const Pose pose_a{
      Vec3(0.24557295762581544, 0.02827397572802462, 0.029868835325623878),
      Quat(0.11573255422606284, 0.0041793494825756883, -0.75778873844052286, 0.64214074533776067)};
  const Pose pose_b{
      Vec3(0.24917601066397205, 0.042405174716159538, 0.0315016572703435),
      Quat(0.19197978844354224, -0.49001246433510426, -0.79908932418751022, 0.29066784754244701)};
  const Manifold contact = contacts_between(cone, pose_a, cone, pose_b, library, 0.0);
  ASSERT_EQ(contact.status, SeparationStatus::solved);
  const GenericPair pair(library, cone, cone, pose_a, pose_b);
  const ContactPoint& point = contact.deepest();
  EXPECT_NEAR(point.gap, -5.9501e-5, 1e-9);
  Random random(6);
  for (int k = 0; k < 1000; ++k) {
    const double turn = std::pow(10.0, uniform(random, -8.0, -1.0));
    const Vec3 beside = (point.normal + turn * random_direction(random)).normalized();
    EXPECT_LE(pair.separation(beside), point.gap + 1e-12);
  }
}

TEST(GenericContact, PointsAreOnBothSurfaces) {
  Random random(2);
  const ShapeLibrary library = with_a_pebble(random);
  for (int k = 0; k < 3000; ++k) {
    const double distance = uniform(random, 0.2, 1.1);
    const Cylinder cylinder{uniform(random, 0.05, 1.0), uniform(random, 0.1, 2.0)};
    const Cone cone{uniform(random, 0.05, 1.0), uniform(random, 0.1, 2.0)};
    const Pose at_a{Vec3(1.0, 2.0, 3.0), random_turn(random)};
    const double size = cylinder.bounding_radius() + cone.bounding_radius();
    const Pose at_b{at_a.position + distance * size * random_direction(random),
                    random_turn(random)};
    const Manifold m = contacts_between(cylinder, at_a, cone, at_b, library, 0.0);
    const ContactPoint& p = m.deepest();
    EXPECT_NEAR(cylinder.nearest(at_a.to_body(p.point_a)).distance, 0.0, 1e-6 * size) << k;
    EXPECT_NEAR(cone.nearest(at_b.to_body(p.point_b)).distance, 0.0, 1e-6 * size) << k;
  }
}

TEST(GenericContact, TurningThePairRoundTurnsTheAnswerRound) {
  Random random(3);
  const ShapeLibrary library = with_a_pebble(random);
  for (int k = 0; k < 1000; ++k) {
    const GenericPair pair = random_pair(random, library, k, k % 3, k / 3 % 8);
    const Manifold m = pair.contact(0.1);
    const Manifold turned = pair.turned_round(0.1);
    ASSERT_EQ(m.size(), turned.size());
    for (std::size_t i = 0; i < m.size(); ++i) {
      EXPECT_EQ(m[i].gap, turned[i].gap);
      EXPECT_EQ(m[i].normal, -turned[i].normal);
      EXPECT_EQ(m[i].point_a, turned[i].point_b);
    }
  }
}

TEST(GenericContact, WithExponentsOfTwoASuperellipsoidIsTheEllipsoid) {
  Random random(4);
  const ShapeLibrary library = with_a_pebble(random);
  for (int k = 0; k < 2000; ++k) {
    const Ellipsoid e{
        {uniform(random, 0.2, 1.0), uniform(random, 0.2, 1.0), uniform(random, 0.2, 1.0)}};
    const Superellipsoid s{e.semi_axes, {2.0, 2.0}};
    const Shape other = random_generic(random, 3 + k % 5, 0);
    const double size = e.bounding_radius() + bounding_radius(other, library);
    const Pose at{Vec3(1.0, 2.0, 3.0), random_turn(random)};
    const Pose at_other{at.position + uniform(random, 0.3, 1.2) * size * random_direction(random),
                        random_turn(random)};
    const ContactPoint one = contacts_between(e, at, other, at_other, library, 0.0).deepest();
    const ContactPoint same = contacts_between(s, at, other, at_other, library, 0.0).deepest();
    EXPECT_NEAR(one.gap, same.gap, 1e-9 * size) << k;
    if (one.gap < -0.2 * e.inscribed_radius()) continue;  // ways out may be alike
    EXPECT_LT((one.normal - same.normal).norm(), 1e-5) << k;
  }
}

// Balls in another guise: what is left of them within the rounding has some size, and a normal.
// Gaps count as solved to 1e-8 of the size, which is 1 m.
TEST(GenericContact, BallsAsSuperellipsoidsAboutOneCentreHaveAGap) {
  Random random(9);
  const ShapeLibrary library;
  constexpr double kRadius = 0.5;
  const Shape round = Superellipsoid{{kRadius, kRadius, kRadius}, {2.0, 2.0}};
  const std::vector<Shape> others{Sphere{kRadius}, Ellipsoid{{kRadius, kRadius, kRadius}}, round};
  for (const Shape& other : others) {
    for (int k = 0; k < 200; ++k) {
      const double off = k == 0 ? 0.0 : kRadius * std::pow(10.0, uniform(random, -9.0, -1.0));
      const Vec3 along = k % 2 == 0 ? Vec3(Vec3::UnitX()) : random_direction(random);
      const Pose place{off * along, random_turn(random)};
      const Manifold found = contacts_between(round, {}, other, place, library, 0.0);
      EXPECT_EQ(found.status, SeparationStatus::solved) << type_of(other) << " " << k;
      EXPECT_NEAR(found.deepest().gap, off - 2.0 * kRadius, 1e-8) << type_of(other) << " " << k;
    }
  }
}

// Prisms of 24 and 384 sides around the cylinder: the gap comes nearer by the square of the side.
TEST(GenericContact, ACylinderIsTheLimitOfPrisms) {
  Random random(5);
  ShapeLibrary library;
  std::vector<Shape> prisms;
  for (const int n : {24, 384}) {
    prisms.emplace_back(Polyhedron{library.add(hull_of(prism(n, 1.2), "prism")), 1.0});
  }
  const Cylinder cylinder{1.0, 1.2};
  for (int k = 0; k < 300; ++k) {
    const Shape other = random_generic(random, 3, 0);
    const Pose at{Vec3(1.0, 2.0, 3.0), random_turn(random)};
    const Pose at_other{at.position + uniform(random, 1.0, 3.0) * random_direction(random),
                        random_turn(random)};
    const double gap = contacts_between(cylinder, at, other, at_other, library, 0.0).deepest().gap;
    for (const auto& [shape, n] : {std::pair(prisms[0], 24), std::pair(prisms[1], 384)}) {
      const double of_prism =
          contacts_between(shape, at, other, at_other, library, 0.0).deepest().gap;
      const double sagitta = 1.0 - std::cos(std::numbers::pi / n);
      EXPECT_NEAR(of_prism, gap, 2.0 * sagitta) << k;
      EXPECT_GE(of_prism, gap - 1e-9) << k;
    }
  }
}

}  // namespace
}  // namespace scree
