#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <set>
#include <vector>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"
#include "scree/geometry/shapes/ball_cluster.hpp"
#include "support/meshes.hpp"
#include "unit/geometry/separation_oracle.hpp"

namespace scree {
namespace {

using namespace test;

const Cylinder kRod{0.3, 2.0};
const Cylinder kCoin{0.5, 0.2};
const Cone kHat{0.4, 0.8};
const Pose kFloor{Vec3(0.2, -0.4, 0.6), rotation_by({0.4, -0.2, 0.9})};
const Quat kOnSide = rotation_by(Vec3(0.5 * std::numbers::pi, 0.0, 0.0));
constexpr double kGap = 1e-4;

Pose on_floor(const Vec3& position, const Quat& turn) {
  return {kFloor.to_world(position), kFloor.orientation * turn};
}

/// All points as far from the floor as @p gap, along its normal, with features of their own.
void expect_level(const Manifold& m, double gap, std::size_t n_least, std::size_t n_most) {
  EXPECT_GE(m.size(), n_least);
  EXPECT_LE(m.size(), n_most);
  std::set<std::int64_t> features;
  for (const ContactPoint& p : m) {
    EXPECT_NEAR(p.gap, gap, 1e-9);
    EXPECT_LT((p.normal - kFloor.orientation * Vec3::UnitZ()).norm(), 1e-7);
    EXPECT_NEAR(kFloor.to_body(p.point_b).z(), 0.0, 1e-9);
    features.insert(p.feature);
  }
  EXPECT_EQ(features.size(), m.size());
}

/// The largest distance between two of the points, m.
double width(const Manifold& m) {
  double most = 0.0;
  for (const ContactPoint& p : m) {
    for (const ContactPoint& q : m) most = std::max(most, (p.point_b - q.point_b).norm());
  }
  return most;
}

/// Whether the point of the floor under @p position is within the polygon of the points.
bool bears(const Manifold& m, const Vec3& position) {
  for (int k = 0; k < 60; ++k) {
    const Vec3 side = kFloor.orientation * Vec3(std::cos(0.1 * k), std::sin(0.1 * k), 0.0);
    const bool any = std::any_of(m.begin(), m.end(), [&](const ContactPoint& p) {
      return side.dot(p.point_b - position) > 0.1;
    });
    if (!any) return false;
  }
  return true;
}

/// The plane, the upper face of a large box, and of a box of triangles, at the floor.
class Floors {
 public:
  Floors() {
    MeshFile file = box_mesh({8.0, 8.0, 1.0});
    for (Vec3& p : file.points) p -= Vec3(4.0, 4.0, 1.0);
    const auto surface = std::make_shared<const SearchableMesh>(triangle_mesh(file, 1.0, "a test"));
    const Pose& in_file = surface->mesh.in_file;
    at_mesh_ = on_floor(in_file.position, in_file.orientation);
    mesh_ = library_.add(surface);
  }
  template <class Test>
  void for_each(const Test& test) const {
    test([this](const Shape& a, const Pose& pose, double margin) {
      return contacts_between(a, pose, Plane{}, kFloor, library_, margin);
    });
    test([this](const Shape& a, const Pose& pose, double margin) {
      const Pose below{kFloor.to_world({0.0, 0.0, -0.5}), kFloor.orientation};
      return contacts_between(a, pose, Box{{4.0, 4.0, 0.5}}, below, library_, margin);
    });
    test([this](const Shape& a, const Pose& pose, double margin) {
      return contacts_between(a, pose, Mesh{mesh_, 0}, at_mesh_, library_, margin);
    });
  }

 private:
  ShapeLibrary library_;
  std::int32_t mesh_;
  Pose at_mesh_;
};

TEST(GenericManifold, ACylinderOnItsSideLiesOnTwoPoints) {
  Floors().for_each([](const auto& meet) {
    for (const double gap : {kGap, 0.0, -kGap}) {
      const Manifold m = meet(kRod, on_floor({0.1, 0.2, 0.3 + gap}, kOnSide), 0.01);
      expect_level(m, gap, 2, 2);
      EXPECT_NEAR(width(m), 2.0, 1e-9);
    }
  });
}

TEST(GenericManifold, ACylinderOnItsEndStandsOnPointsAround) {
  Floors().for_each([](const auto& meet) {
    for (const double gap : {kGap, 0.0, -kGap}) {
      const Pose pose = on_floor({0.1, 0.2, 0.1 + gap}, Quat::Identity());
      const Manifold m = meet(kCoin, pose, 0.01);
      expect_level(m, gap, 3, 8);
      EXPECT_TRUE(bears(m, pose.position));
    }
  });
}

TEST(GenericManifold, ATiltedCylinderHasItsDeepestPointFirst) {
  Floors().for_each([](const auto& meet) {
    for (const double tilt : {1e-9, 1e-6, 1e-3}) {
      const Quat turn = rotation_by(tilt * Vec3(std::cos(0.3), std::sin(0.3), 0.0));
      const double gap = -1e-5;
      const double height = 0.1 * std::cos(tilt) + 0.5 * std::sin(tilt) + gap;
      const Manifold m = meet(kCoin, on_floor({0.1, 0.2, height}, turn), 0.01);
      EXPECT_NEAR(m.deepest().gap, gap, 1e-9);
      EXPECT_GE(m.size(), 3U);
      for (const ContactPoint& p : m) EXPECT_LT(p.gap, gap + 1.01 * tilt + 1e-9);
    }
  });
}

TEST(GenericManifold, AConeStandsOnItsBaseAndLiesOnItsSide) {
  Floors().for_each([](const auto& meet) {
    const Pose upright = on_floor({0.1, 0.2, 0.2 + kGap}, Quat::Identity());
    const Manifold standing = meet(kHat, upright, 0.01);
    expect_level(standing, kGap, 3, 8);
    const double slant = std::hypot(0.4, 0.8);
    const Quat turn = rotation_between(Vec3(0.8 / slant, 0.0, 0.4 / slant), -Vec3::UnitZ());
    const double height = 0.75 * 0.8 * 0.4 / slant;  // of the centre of mass above its side
    const Manifold lying = meet(kHat, on_floor({0.1, 0.2, height + kGap}, turn), 0.01);
    expect_level(lying, kGap, 2, 2);
    EXPECT_NEAR(width(lying), slant, 1e-9);
  });
}

TEST(GenericManifold, ParallelCylindersTouchAtTheEndsOfWhatIsBesideEachOther) {
  const ShapeLibrary library;
  const Pose above = on_floor({0.0, 0.5, 0.6 + kGap}, kOnSide);
  const Manifold m =
      contacts_between(kRod, above, kRod, on_floor(Vec3::Zero(), kOnSide), library, 0.01);
  ASSERT_EQ(m.size(), 2U);
  EXPECT_NEAR(width(m), 1.5, 1e-6);
  for (const ContactPoint& p : m) EXPECT_NEAR(p.gap, kGap, 1e-9);
  const Pose crossed{above.position, above.orientation * rotation_by({1.0, 0.0, 0.0})};
  const Pose lower = on_floor(Vec3::Zero(), kOnSide);
  EXPECT_EQ(contacts_between(kRod, crossed, kRod, lower, library, 0.01).size(), 1U);
}

TEST(GenericManifold, CoinsInAPileRestOnPointsAround) {
  const ShapeLibrary library;
  const Pose lower = on_floor(Vec3::Zero(), Quat::Identity());
  const Pose upper = on_floor({0.1, 0.05, 0.2 - kGap}, rotation_by({0.0, 0.0, 0.7}));
  const Manifold m = contacts_between(kCoin, upper, kCoin, lower, library, 0.01);
  EXPECT_GE(m.size(), 3U);
  EXPECT_GT(width(m), 0.7);
  for (const ContactPoint& p : m) {
    EXPECT_NEAR(p.gap, -kGap, 1e-9);
    EXPECT_LT((p.normal - kFloor.orientation * Vec3::UnitZ()).norm(), 1e-6);
  }
}

TEST(GenericManifold, ACylinderLiesInATroughAndStandsOnAnOrifice) {
  const ShapeLibrary library;
  constexpr double kEndless = std::numeric_limits<double>::infinity();
  const HollowCylinder tube{{1.0, 1.0, -kEndless, kEndless}};
  const Manifold lying = contacts_between(kRod, {Vec3(0.7 - kGap, 0.0, 0.3), Quat::Identity()},
                                          tube, {}, library, 0.01);
  ASSERT_EQ(lying.size(), 2U);
  EXPECT_NEAR(width(lying), 2.0, 1e-9);
  for (const ContactPoint& p : lying) {
    EXPECT_NEAR(p.gap, kGap, 1e-9);
    EXPECT_LT((p.normal + Vec3::UnitX()).norm(), 1e-7);
  }
  const Orifice plate{{0.4, 0.4, -0.1, 0.0}};
  const Manifold standing = contacts_between(kCoin, {Vec3(0.0, 0.0, 0.1 + kGap), Quat::Identity()},
                                             plate, {}, library, 0.01);
  EXPECT_GE(standing.size(), 3U);
  EXPECT_GT(width(standing), 0.7);
  for (const ContactPoint& p : standing) EXPECT_NEAR(p.gap, kGap, 1e-9);
}

TEST(GenericManifold, ARingAndAClusterMeetACylinder) {
  ShapeLibrary library;
  // the ring lies around the rod, which it is coaxial with
  const Manifold around = contacts_between(Ring{0.5, 0.1}, {}, kRod, {}, library, 0.2);
  EXPECT_EQ(around.status, SeparationStatus::solved);
  EXPECT_GE(around.size(), 3U);
  for (const ContactPoint& p : around) EXPECT_NEAR(p.gap, 0.1, 1e-9);
  const std::vector<BallCluster::Ball> two{{Vec3(-0.3, 0.0, 0.0), 0.1}, {Vec3(0.3, 0.0, 0.0), 0.1}};
  const Cluster balls{library.add(cluster_of(two, 0.01, Vec3(0.01, 0.1, 0.1), 0.1)), 1.0};
  const Manifold on_coin =
      contacts_between(balls, {Vec3(0.0, 0.0, 0.2), Quat::Identity()}, kCoin, {}, library, 0.01);
  EXPECT_EQ(on_coin.size(), 2U);
  for (const ContactPoint& p : on_coin) EXPECT_NEAR(p.gap, 0.0, 1e-9);
}

}  // namespace
}  // namespace scree
