#include "scree/geometry/shapes/ball_cluster.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>

#include "scree/base/check.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/shapes/box.hpp"
#include "scree/geometry/shapes/capsule.hpp"
#include "scree/geometry/shapes/cluster.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"
#include "scree/geometry/shapes/plane.hpp"
#include "scree/geometry/shapes/polyhedron.hpp"
#include "scree/geometry/shapes/ring.hpp"
#include "scree/geometry/shapes/round_hole.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "unit/geometry/separation_oracle.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// How far the balls' union stays below the surface of @p body at most, m.
double roughness(const Ellipsoid& body, const BallCluster& cluster) {
  const ScaledCluster whole{cluster, 1.0};
  double most = 0.0;
  for (const Vec3& n : directions(4000)) {
    most = std::max(most, whole.nearest(body.support(n)).distance);
  }
  return most;
}

TEST(BallCluster, FillsASpheroidFromInside) {
  const Ellipsoid body{{0.5, 1.0, 0.5}};
  double before = kInfinity;
  for (int n = 3; n <= 27; n += 2) {
    const BallCluster cluster = cluster_of(body, n);
    ASSERT_EQ(cluster.balls.size(), static_cast<std::size_t>(n));
    for (const BallCluster::Ball& ball : cluster.balls) {
      EXPECT_NEAR(body.nearest(ball.centre).distance, -ball.radius, 1e-14);
    }
    EXPECT_NEAR(cluster.balls.back().centre.y() + cluster.balls.back().radius, 1.0, 1e-15);
    const BallCluster::Ball& middle = cluster.balls[static_cast<std::size_t>(n / 2)];
    EXPECT_EQ(middle.centre, Vec3(0, 0, 0));
    EXPECT_EQ(middle.radius, 0.5);
    EXPECT_NEAR(cluster.bounding_radius, 1.0, 1e-15);
    EXPECT_EQ(cluster.volume, body.volume());
    EXPECT_EQ(cluster.inertia_per_mass, body.inertia_per_mass());
    // The valley between two balls is as deep as the square of their distance over 8 r.
    const double now = roughness(body, cluster);
    EXPECT_LT(now, before);
    before = now;
  }
  EXPECT_NEAR(roughness(body, cluster_of(body, 27)) / roughness(body, cluster_of(body, 14 + 1)),
              std::pow(14.0 / 26.0, 2), 0.05);
}

TEST(BallCluster, OfACapsuleAndOfARing) {
  const Capsule capsule{0.2, 1.0};
  const BallCluster rod = cluster_of(capsule, 5);
  EXPECT_EQ(rod.balls[0].centre, Vec3(0, 0, -0.5));
  EXPECT_EQ(rod.balls[3].centre, Vec3(0, 0, 0.25));
  EXPECT_EQ(rod.balls[4].radius, 0.2);
  EXPECT_EQ(rod.bounding_radius, capsule.bounding_radius());
  EXPECT_EQ(rod.volume, capsule.volume());
  const Ring ring{1.0, 0.1};
  const BallCluster link = cluster_of(ring, 32);
  ASSERT_EQ(link.balls.size(), 32U);
  for (const BallCluster::Ball& ball : link.balls) {
    EXPECT_NEAR(ring.nearest(ball.centre).distance, -ball.radius, 1e-15);
  }
  EXPECT_EQ(link.inertia_per_mass, ring.inertia_per_mass());
  EXPECT_EQ(link.inscribed_radius, 0.1);
}

TEST(BallCluster, IsRefusedWhereItStandsForNothing) {
  EXPECT_THROW(cluster_of(Ellipsoid{{1.0, 0.5, 0.5}}, 4), InputError);
  EXPECT_THROW(cluster_of(Ellipsoid{{1.0, 0.5, 0.5}}, 0), InputError);
  EXPECT_THROW(cluster_of(Ellipsoid{{1.0, 0.5, 0.5}}, kMostBalls + 1), InputError);
  EXPECT_THROW(cluster_of(Ellipsoid{{1.0, 0.6, 0.5}}, 3), InputError);
  EXPECT_THROW(cluster_of(Ellipsoid{{1.0, 1.0, 0.5}}, 3), InputError);
  EXPECT_THROW(cluster_of(Ring{1.0, 0.1}, 2), InputError);
  const std::vector<BallCluster::Ball> none;
  EXPECT_THROW(cluster_of(none, 1.0, Vec3::Ones(), 1.0), InputError);
  const std::vector<BallCluster::Ball> one = {{Vec3::Zero(), 1.0}};
  EXPECT_THROW(cluster_of(one, 0.0, Vec3::Ones(), 1.0), InputError);
  EXPECT_THROW(cluster_of(one, 1.0, Vec3(1, 1, std::nan("")), 1.0), InputError);
  const std::vector<BallCluster::Ball> flat = {{Vec3::Zero(), 0.0}};
  EXPECT_THROW(cluster_of(flat, 1.0, Vec3::Ones(), 1.0), InputError);
}

struct Library {
  ShapeLibrary shapes;
  std::vector<Shape> clusters;

  Library() {
    for (const int n : {3, 13, 27}) add(cluster_of(Ellipsoid{{1.0, 0.4, 0.4}}, n), 0.8);
    add(cluster_of(Capsule{0.3, 1.0}, 7), 1.0);
    add(cluster_of(Ring{0.8, 0.15}, 32), 1.2);
  }
  void add(const BallCluster& cluster, double scale) {
    clusters.push_back(Cluster{shapes.add(cluster), scale});
  }
};

TEST(ClusterShape, GivesBoundsAndRadiiOfItsBalls) {
  const Library library;
  Random random(1);
  for (const Shape& shape : library.clusters) {
    const ScaledCluster whole = library.shapes.geometry_of(shape.get<Cluster>());
    const Pose pose{random_direction(random), random_turn(random)};
    const Box3 box = box_of(shape, pose, library.shapes);
    Box3 expected{Vec3::Constant(kInfinity), Vec3::Constant(-kInfinity)};
    for (std::size_t i = 0; i < whole.size(); ++i) {
      const Box3 ball = box_of(Sphere{whole.radius(i)}, whole.pose_of(i, pose), library.shapes);
      expected.low = expected.low.cwiseMin(ball.low);
      expected.high = expected.high.cwiseMax(ball.high);
    }
    EXPECT_LT((box.low - expected.low).norm() + (box.high - expected.high).norm(), 1e-14);
    EXPECT_GT(bounding_radius(shape, library.shapes), inscribed_radius(shape, library.shapes));
    EXPECT_FALSE(is_convex_body(shape));
  }
  const Shape& first = library.clusters.front();
  const Ellipsoid body{{0.8, 0.32, 0.32}};
  EXPECT_NEAR(volume(first, library.shapes), body.volume(), 1e-15);
  EXPECT_NEAR(equal_volume_radius(first, library.shapes), equal_volume_radius(body, library.shapes),
              1e-15);
}

using Key = std::pair<std::size_t, std::size_t>;

/// The gap of every pair of balls: of B's all where it is a cluster, itself otherwise.
std::map<Key, double> all_gaps(const Library& library, const Shape& a, const Pose& pose_a,
                               const Shape& b, const Pose& pose_b) {
  std::map<Key, double> gaps;
  const ScaledCluster of_a = library.shapes.geometry_of(a.get<Cluster>());
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    const Sphere ball{of_a.radius(i)};
    const Pose at = of_a.pose_of(i, pose_a);
    const auto* cluster_b = b.get_if<Cluster>();
    if (cluster_b == nullptr) {
      gaps[{i, 0}] = contacts_between(ball, at, b, pose_b, library.shapes, 0.0).deepest().gap;
      continue;
    }
    const ScaledCluster of_b = library.shapes.geometry_of(*cluster_b);
    for (std::size_t j = 0; j < of_b.size(); ++j) {
      gaps[{i, j}] =
          (at.position - of_b.pose_of(j, pose_b).position).norm() - ball.radius - of_b.radius(j);
    }
  }
  return gaps;
}

/// The manifold has every pair below the margin, and the deepest in any case.
void expect_all_pairs(const Manifold& m, const std::map<Key, double>& gaps, double margin) {
  double deepest = kInfinity;
  std::size_t n_within = 0;
  for (const auto& [key, gap] : gaps) {
    deepest = std::min(deepest, gap);
    n_within += gap <= margin;
  }
  ASSERT_EQ(m.size(), std::max<std::size_t>(n_within, 1));
  EXPECT_NEAR(m.deepest().gap, deepest, 1e-14);
  std::set<std::int64_t> features;
  std::multiset<double> found;
  for (const ContactPoint& p : m) {
    EXPECT_LT((p.point_a - p.point_b - p.gap * p.normal).norm(), 1e-14);
    EXPECT_GE(p.gap, m.deepest().gap);
    features.insert(p.feature);
    found.insert(p.gap);
  }
  EXPECT_EQ(features.size(), m.size());
  std::multiset<double> expected;
  for (const auto& [key, gap] : gaps) {
    if (gap <= margin || (n_within == 0 && gap == deepest)) expected.insert(gap);
  }
  auto want = expected.begin();
  for (const double gap : found) EXPECT_NEAR(gap, *want++, 1e-14);
}

void expect_turned_round(const Manifold& m, const Manifold& turned) {
  ASSERT_EQ(m.size(), turned.size());
  for (std::size_t i = 0; i < m.size(); ++i) {
    EXPECT_EQ(m[i].gap, turned[i].gap);
    EXPECT_EQ(m[i].normal, -turned[i].normal);
    EXPECT_EQ(m[i].point_a, turned[i].point_b);
    EXPECT_EQ(m[i].point_b, turned[i].point_a);
  }
}

TEST(ClusterContacts, AreThoseOfAllPairsOfBalls) {
  const Library library;
  Random random(2);
  std::size_t most = 0;
  for (int k = 0; k < 10000; ++k) {
    const Shape& a = library.clusters[static_cast<std::size_t>(k % 5)];
    const Shape& b = library.clusters[static_cast<std::size_t>(k / 5 % 5)];
    const Pose pose_a{random_direction(random), random_turn(random)};
    const Pose pose_b{k % 11 == 0
                          ? pose_a.position
                          : pose_a.position + uniform(random, 0, 2) * random_direction(random),
                      k % 4 == 0 ? pose_a.orientation : random_turn(random)};
    const double margin = 0.02;
    const Manifold m = contacts_between(a, pose_a, b, pose_b, library.shapes, margin);
    ASSERT_EQ(m.status, SeparationStatus::solved);
    expect_all_pairs(m, all_gaps(library, a, pose_a, b, pose_b), margin);
    // The same cluster twice in the same place has no first and no second.
    const bool same = k % 44 == 0 && k % 5 == k / 5 % 5;
    if (!same) {
      expect_turned_round(m, contacts_between(b, pose_b, a, pose_a, library.shapes, margin));
    }
    most = std::max(most, m.size());
  }
  EXPECT_GT(most, 300U);  // of 27 x 27
}

TEST(ClusterContacts, WithOtherShapesAreThoseOfEachBall) {
  Library library;
  Orifice orifice;
  orifice.low_radius = orifice.high_radius = 5.0;
  orifice.low = -0.1;
  const Shape others[] = {Sphere{0.5},
                          Plane{},
                          Box{{0.5, 0.2, 1}},
                          Capsule{0.2, 1.0},
                          Ring{0.6, 0.1},
                          Ellipsoid{{0.5, 0.3, 0.9}},
                          Polyhedron{library.shapes.add(cuboid({0.5, 0.4, 0.3})), 1.0},
                          orifice};
  Random random(3);
  for (const Shape& b : others) {
    for (int k = 0; k < 500; ++k) {
      const Shape& a = library.clusters[static_cast<std::size_t>(k % 5)];
      const Pose pose_a{uniform(random, 0, 2) * random_direction(random), random_turn(random)};
      const Pose pose_b{Vec3(0.1, 0.2, 0.3), random_turn(random)};
      const Manifold m = contacts_between(a, pose_a, b, pose_b, library.shapes, 0.0);
      const std::map<Key, double> gaps = all_gaps(library, a, pose_a, b, pose_b);
      double deepest = kInfinity;
      for (const auto& [key, gap] : gaps) deepest = std::min(deepest, gap);
      EXPECT_EQ(m.deepest().gap, deepest);
      expect_turned_round(m, contacts_between(b, pose_b, a, pose_a, library.shapes, 0.0));
    }
  }
}

/// A lying cluster rests on every ball that touches, each with a number of its own that stays.
TEST(ClusterContacts, OfARodOnAPlaneAreAllOfItsBalls) {
  ShapeLibrary library;
  const Shape rod = Cluster{library.add(cluster_of(Capsule{0.2, 1.0}, 27)), 1.0};
  const Quat lying = rotation_by({0, std::numbers::pi / 2, 0});
  std::set<std::int64_t> first;
  for (const double tilt : {0.0, 1e-12, -1e-6}) {
    const Manifold m = contacts_between(rod, {Vec3(0, 0, 0.2), rotation_by({0, tilt, 0}) * lying},
                                        Plane{}, {}, library, 1e-3);
    ASSERT_EQ(m.size(), 27U);
    std::set<std::int64_t> features;
    for (const ContactPoint& p : m) {
      EXPECT_NEAR(p.gap, 0.0, std::abs(tilt) + 1e-15);
      features.insert(p.feature);
    }
    EXPECT_EQ(features.size(), 27U);
    if (tilt == 0.0) first = features;
    EXPECT_EQ(features, first);
  }
}

/// Balls inside an ellipsoid: they touch later than it does, the later the fewer they are.
TEST(ClusterContacts, ApproachThoseOfTheEllipsoid) {
  ShapeLibrary library;
  const Ellipsoid body{{1.0, 0.5, 0.5}};
  std::vector<Shape> clusters;
  for (const int n : {3, 7, 27}) {
    clusters.push_back(Cluster{library.add(cluster_of(body, n)), 1.0});
  }
  Random random(4);
  std::array<double, 3> error{};
  for (int k = 0; k < 2000; ++k) {
    const Pose pose_a{2.5 * random_direction(random), random_turn(random)};
    const Pose pose_b{Vec3::Zero(), random_turn(random)};
    const double gap = contacts_between(body, pose_a, body, pose_b, library, 0.0).deepest().gap;
    for (std::size_t i = 0; i < 3; ++i) {
      const double late =
          contacts_between(clusters[i], pose_a, clusters[i], pose_b, library, 0.0).deepest().gap -
          gap;
      EXPECT_GT(late, -1e-14);
      error[i] = std::max(error[i], late);
    }
  }
  EXPECT_LT(error[1], 0.3 * error[0]);
  EXPECT_LT(error[2], 0.2 * error[1]);
}

TEST(Manifold, HoldsManyPointsAsItHoldsFew) {
  Manifold m;
  for (int k = 0; k < 30; ++k) {
    m.push_back({static_cast<double>(k), Vec3::UnitZ(), Vec3::Zero(), Vec3::Zero(), k});
    ASSERT_EQ(m.size(), static_cast<std::size_t>(k) + 1);
    for (std::int32_t i = 0; i <= k; ++i) ASSERT_EQ(m[static_cast<std::size_t>(i)].feature, i);
  }
  const Manifold copy = m;
  for (const std::size_t size : {20U, 8U, 3U, 0U}) {
    m.truncate(size);
    ASSERT_EQ(m.size(), size);
    std::int32_t i = 0;
    for (const ContactPoint& p : m) EXPECT_EQ(p.feature, i++);
  }
  m.push_back({5.0, Vec3::UnitZ(), Vec3::Zero(), Vec3::Zero(), 5});
  EXPECT_EQ(m.deepest().gap, 5.0);
  EXPECT_EQ(copy.size(), 30U);
}

}  // namespace
}  // namespace scree
