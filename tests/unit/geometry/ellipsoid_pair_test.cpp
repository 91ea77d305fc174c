#include <gtest/gtest.h>

#include "geometry/pairs/ellipsoid/ellipsoid_contacts.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"
#include "unit/geometry/separation_oracle.hpp"

namespace scree {
namespace {

using namespace test;

struct EllipsoidPair {
  Ellipsoid a, b;
  Pose pose_a, pose_b;

  double size() const { return a.longest() + b.longest(); }
  double rolling() const { return a.rolling_radius() + b.rolling_radius(); }
  Manifold contact() const { return ellipsoid_and_ellipsoid(a, pose_a, b, pose_b); }
  double separation(const Vec3& n) const {
    return n.dot(pose_a.position - pose_b.position) - reach(a, pose_a, n) - reach(b, pose_b, n);
  }
};

/// Centres apart by @p distance (over the sum of the longest axes); parallel for every seventh @p
/// k.
EllipsoidPair random_pair(Random& random, double distance, int k) {
  EllipsoidPair pair{random_ellipsoid(random), random_ellipsoid(random), {}, {}};
  pair.pose_a = {Vec3(uniform(random, -1, 1), 2.0, -3.0), random_turn(random)};
  pair.pose_b = {pair.pose_a.position + distance * pair.size() * random_direction(random),
                 k % 7 == 0 ? pair.pose_a.orientation : random_turn(random)};
  return pair;
}

void expect_points_on_surfaces(const EllipsoidPair& pair, const ContactPoint& point) {
  EXPECT_NEAR(point.normal.norm(), 1.0, 1e-14);
  EXPECT_LT((point.point_a - point.point_b - point.gap * point.normal).norm(), 1e-14);
  EXPECT_NEAR(off_surface(pair.a, pair.pose_a, point.point_a), 0.0, 1e-12);
  // The normal of a tip turns by 1e-8 over 2.5e-11 m of a needle.
  EXPECT_NEAR(off_surface(pair.b, pair.pose_b, point.point_b), 0.0, 1e-10);
}

/// No direction separates more: a distance for those apart, the least translation for the others,
/// concentric ones included.
TEST(EllipsoidPair, GapIsTheGlobalMaximumOverDirections) {
  Random random(1);
  const std::vector<Vec3> sampled = directions(400);
  int n_apart = 0;
  int n_deep = 0;
  for (int k = 0; k < 2000; ++k) {
    const double distance = k % 5 == 0 ? 0.0 : uniform(random, 0.0, k % 5 == 1 ? 0.1 : 1.3);
    const EllipsoidPair pair = random_pair(random, distance, k);
    const Manifold contact = pair.contact();
    ASSERT_EQ(contact.size(), 1U);
    ASSERT_EQ(contact.status, SeparationStatus::solved) << k;
    const ContactPoint& point = contact.deepest();
    EXPECT_EQ(point.feature, 0);
    EXPECT_NEAR(pair.separation(point.normal), point.gap, 1e-14 * pair.size());
    const auto g = [&pair](const Vec3& n) { return pair.separation(n); };
    EXPECT_GE(point.gap, largest_on_sphere(g, sampled, 4) - 1e-12 * pair.size()) << k;
    expect_points_on_surfaces(pair, point);
    n_apart += point.gap > 0.0;
    n_deep += point.gap < -pair.rolling();
  }
  EXPECT_GT(n_apart, 200);
  EXPECT_GT(n_deep, 600);
}

/// Translating A along the normal changes the gap by as much and the normal not at all, for as long
/// as the gap is above the rolling radius: so any gap can be set exactly.
TEST(EllipsoidPair, GapsSetExactlyAreFoundExactly) {
  Random random(2);
  for (int k = 0; k < 10000; ++k) {
    EllipsoidPair pair = random_pair(random, uniform(random, 1.01, 1.3), k);
    const ContactPoint start = pair.contact().deepest();
    const Vec3 origin = pair.pose_a.position;
    for (const double gap : {0.0, 1e-8, -1e-8, 1e-3, -0.9 * pair.rolling(), 10.0}) {
      pair.pose_a.position = origin + (gap - start.gap) * start.normal;
      const Manifold contact = pair.contact();
      ASSERT_EQ(contact.status, SeparationStatus::solved);
      EXPECT_NEAR(contact.deepest().gap, gap, 1e-12 * pair.size()) << k;
      // Near the rolling radius the directions about the normal are almost as good.
      if (gap < -1e-3) continue;
      EXPECT_LT((contact.deepest().normal - start.normal).norm(), 1e-8) << k << " " << gap;
    }
  }
}

TEST(EllipsoidPair, TurningThePairRoundTurnsTheAnswerRound) {
  Random random(3);
  for (int k = 0; k < 2000; ++k) {
    const EllipsoidPair pair = random_pair(random, uniform(random, 0.0, 1.2), k);
    const EllipsoidPair turned{pair.b, pair.a, pair.pose_b, pair.pose_a};
    const ContactPoint one = pair.contact().deepest();
    const ContactPoint other = turned.contact().deepest();
    EXPECT_NEAR(one.gap, other.gap, 1e-12 * pair.size());
    if (one.gap < -0.9 * pair.rolling()) continue;  // two ways out may be equally short
    EXPECT_LT((one.normal + other.normal).norm(), 1e-8) << k;
  }
}

/// The gap's derivative in A's position is the normal, in its rotation the arm times the normal.
TEST(EllipsoidPair, TheNormalIsTheGradientOfTheGap) {
  Random random(4);
  constexpr double kStep = 1e-5;
  for (int k = 0; k < 1000; ++k) {
    const EllipsoidPair pair = random_pair(random, uniform(random, 0.6, 1.3), k);
    const ContactPoint at = pair.contact().deepest();
    if (at.gap < -0.5 * pair.rolling()) continue;
    const Vec3 arm = at.point_a - pair.pose_a.position;
    const auto gap = [&pair](const Vec3& shift, const Vec3& turn) {
      EllipsoidPair moved = pair;
      moved.pose_a.position += shift;
      moved.pose_a.orientation = rotation_by(turn) * pair.pose_a.orientation;
      return moved.contact().deepest().gap;
    };
    for (int i = 0; i < 3; ++i) {
      const Vec3 e = kStep * Vec3::Unit(i);
      const Vec3 none = Vec3::Zero();
      // The third derivative of a needle's gap, of order (a/c)^4, times the step squared.
      EXPECT_NEAR((gap(e, none) - gap(-e, none)) / (2 * kStep), at.normal[i], 1e-4) << k;
      EXPECT_NEAR((gap(none, e) - gap(none, -e)) / (2 * kStep),
                  Vec3::Unit(i).dot(arm.cross(at.normal)), 1e-4)
          << k;
    }
  }
}

TEST(EllipsoidPair, ClosedForms) {
  const Quat turned = rotation_by({0.3, -0.4, 1.0});
  // Two balls written as ellipsoids.
  const Ellipsoid ball{{0.4, 0.4, 0.4}};
  const auto balls = ellipsoid_and_ellipsoid(ball, {Vec3(0, 0, 1), turned}, ball,
                                             {Vec3(0, 0.6, 0.2), Quat::Identity()});
  EXPECT_NEAR(balls.deepest().gap, 1.0 - 0.8, 1e-15);
  EXPECT_LT((balls.deepest().normal - Vec3(0, -0.6, 0.8)).norm(), 1e-14);
  // Crossed needles, one above the other.
  const Ellipsoid needle{{1.0, 0.05, 0.05}};
  const Pose above{Vec3(0, 0, 0.2), rotation_by({0, 0, std::numbers::pi / 2})};
  const auto crossed = ellipsoid_and_ellipsoid(needle, above, needle, Pose{}).deepest();
  EXPECT_NEAR(crossed.gap, 0.1, 1e-15);
  EXPECT_LT((crossed.normal - Vec3::UnitZ()).norm(), 1e-14);
  // The same disc twice in one place: out along its short axis.
  const Ellipsoid disc{{1.0, 0.05, 1.0}};
  const Pose pose{Vec3(1, 2, 3), turned};
  const auto same = ellipsoid_and_ellipsoid(disc, pose, disc, pose);
  EXPECT_EQ(same.status, SeparationStatus::solved);
  EXPECT_NEAR(same.deepest().gap, -0.1, 1e-15);
  EXPECT_NEAR(std::abs(same.deepest().normal.dot(turned * Vec3::UnitY())), 1.0, 1e-14);
}

TEST(EllipsoidPair, AnyUnitOfLengthGivesTheSame) {
  Random random(5);
  for (int k = 0; k < 500; ++k) {
    const EllipsoidPair pair = random_pair(random, uniform(random, 0.0, 1.2), k);
    const ContactPoint at = pair.contact().deepest();
    for (const double unit : {1e-6, 1e4}) {
      EllipsoidPair scaled = pair;
      for (double& a : scaled.a.semi_axes) a *= unit;
      for (double& b : scaled.b.semi_axes) b *= unit;
      scaled.pose_a.position *= unit;
      scaled.pose_b.position *= unit;
      const Manifold contact = scaled.contact();
      ASSERT_EQ(contact.status, SeparationStatus::solved);
      EXPECT_NEAR(contact.deepest().gap, unit * at.gap, 1e-12 * unit * pair.size()) << k;
    }
  }
}

/// B up to 10,000 times smaller than A, and up to 1e7 sizes away. B's support along the normal is
/// where the gap leads from A: no other two points are nearer.
TEST(EllipsoidPair, SizesFarApartAndWideGaps) {
  Random random(7);
  int n_apart = 0;
  for (int k = 0; k < 4000; ++k) {
    const double far =
        k % 4 == 0 ? std::pow(10.0, uniform(random, 0.0, 7.0)) : uniform(random, 0.2, 1.2);
    EllipsoidPair pair = random_pair(random, far, k);
    const double smaller = std::pow(10.0, uniform(random, -4.0, 0.0));
    for (double& b : pair.b.semi_axes) b *= smaller;
    const Manifold contact = pair.contact();
    ASSERT_EQ(contact.status, SeparationStatus::solved) << k;
    const ContactPoint& point = contact.deepest();
    const double size = pair.size() + (pair.pose_a.position - pair.pose_b.position).norm();
    EXPECT_NEAR(pair.separation(point.normal), point.gap, 1e-13 * size) << k;
    if (point.gap <= 0.0) continue;
    ++n_apart;
    const Vec3 along = pair.pose_b.orientation.conjugate() * point.normal;
    EXPECT_LT((pair.pose_b.to_world(pair.b.support(along)) - point.point_b).norm(), 1e-11 * size)
        << k;
  }
  EXPECT_GT(n_apart, 2000);
}

/// At the largest ratio that a configuration may ask for.
TEST(EllipsoidPair, NeedlesAndDiscsOfOneToAThousand) {
  Random random(6);
  const std::vector<Vec3> sampled = directions(300);
  for (int k = 0; k < 2000; ++k) {
    const std::array<Ellipsoid, 3> shapes{Ellipsoid{{0.001001, 0.001001, 1.0}},
                                          Ellipsoid{{1.0, 1.0, 0.001001}},
                                          Ellipsoid{{0.03, 1.0, 0.001001}}};
    EllipsoidPair pair = random_pair(random, uniform(random, 0.0, 1.1), k);
    pair.a = shapes[k % 3];
    pair.b = shapes[k / 3 % 3];
    const Manifold contact = pair.contact();
    ASSERT_EQ(contact.status, SeparationStatus::solved) << k;
    const auto g = [&pair](const Vec3& n) { return pair.separation(n); };
    EXPECT_NEAR(g(contact.deepest().normal), contact.deepest().gap, 1e-13);
    EXPECT_GE(contact.deepest().gap, largest_on_sphere(g, sampled, 6) - 1e-11) << k;
  }
}

}  // namespace
}  // namespace scree
