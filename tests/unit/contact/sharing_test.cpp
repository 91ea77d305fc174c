#include "contact/sharing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/box.hpp"
#include "scree/geometry/shapes/plane.hpp"

namespace scree {
namespace {

constexpr double kHalf = 0.01;  // m
constexpr double kSharing = kSharingReach * kHalf;
constexpr double kRounding = 1e-12;

/// A cube that is turned by @p angle about an edge which lies in the plane z = @p gap, above a
/// plane or a large box.
Manifold tipped_cube(const Shape& floor, const Pose& at, double angle, double gap, double margin) {
  const Quat turn(Eigen::AngleAxisd(angle, Vec3::UnitY()));
  const double height = kHalf * (std::cos(angle) + std::sin(angle)) + gap;
  return contacts_between(Box{{kHalf, kHalf, kHalf}}, {{0.0, 0.0, height}, turn}, floor, at, {},
                          margin);
}

Manifold on_a_plane(double angle, double gap, double margin) {
  return tipped_cube(Plane{}, {Vec3::Zero(), Quat::Identity()}, angle, gap, margin);
}

/// Stiffness of the points that overlap, over that of the pair.
double closed_stiffness(const Manifold& manifold) {
  const std::vector<double> counts = sharing_counts(manifold, kSharing);
  double sum = 0.0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (manifold[i].gap <= 0.0) sum += 1.0 / counts[i];
  }
  return sum;
}

TEST(Sharing, AFaceAnEdgeAndACornerAreEquallyStiff) {
  EXPECT_NEAR(closed_stiffness(on_a_plane(0.0, -1e-6, 1e-3)), 1.0, kRounding);
  EXPECT_NEAR(closed_stiffness(on_a_plane(0.3, -1e-6, 1e-3)), 1.0, kRounding);
  const Quat on_corner = rotation_between(Vec3(1.0, 1.0, 1.0),
                                          Vec3::UnitZ());  // its lowest corner is (-1, -1, -1)
  const Pose corner{{0.0, 0.0, std::sqrt(3.0) * kHalf - 1e-6}, on_corner};
  const Pose origin{Vec3::Zero(), Quat::Identity()};
  EXPECT_NEAR(closed_stiffness(
                  contacts_between(Box{{kHalf, kHalf, kHalf}}, corner, Plane{}, origin, {}, 1e-3)),
              1.0, kRounding);
}

TEST(Sharing, PointsAboveTheReachDoNotCount) {
  const double angle = 0.1;  // the other edge is 2 mm up
  for (const double margin : {2e-4, 1e-3, 5e-3, 0.1}) {
    const Manifold manifold = on_a_plane(angle, -1e-6, margin);
    const std::vector<double> counts = sharing_counts(manifold, kSharing);
    EXPECT_EQ(manifold.size(), margin < 2e-3 ? 2U : margin < 0.02 ? 4U : 8U);
    EXPECT_NEAR(counts[0], 2.0, kRounding);
    EXPECT_NEAR(counts[1], 2.0, kRounding);
  }
}

// Two points leave over an angle of l / (2 half) = 0.01: n falls from 4 to 2, and 1/n changes by
// 1/n^2 < 1/4 of that. On a box the points of its face come and go with features besides.
TEST(Sharing, StiffnessChangesSmoothlyWhileACubeTips) {
  const Pose below{{0.0, 0.0, -0.1}, Quat::Identity()};
  const double overlap = 1e-7;
  constexpr double kStep = 1e-6;
  for (const Shape& floor : {Shape(Plane{}), Shape(Box{{0.1, 0.1, 0.1}})}) {
    const bool plane = floor.is<Plane>();
    const Pose at = plane ? Pose{Vec3::Zero(), Quat::Identity()} : below;
    double before = 0.25;
    for (double angle = kStep; angle < 0.02; angle += kStep) {
      const Manifold manifold = tipped_cube(floor, at, angle, -overlap, 1e-3);
      const double each = 1.0 / sharing_counts(manifold, kSharing)[0];
      ASSERT_LT(std::abs(each - before), 1.01 * 0.25 * 2.0 * 2.0 * kHalf * kStep / kSharing)
          << "angle " << angle << (plane ? " on a plane" : " on a box");
      before = each;
    }
    EXPECT_NEAR(before, 0.5, 1e-3);
  }
}

TEST(Sharing, SidesThatLookAtEachOtherDoNotShare) {
  Manifold manifold;
  manifold.push_back({-1e-6, Vec3::UnitX(), Vec3::Zero(), Vec3::Zero(), 0});
  manifold.push_back({-1e-6, -Vec3::UnitX(), Vec3::Zero(), Vec3::Zero(), 1});
  manifold.push_back({-1e-6, Vec3::UnitY(), Vec3::Zero(), Vec3::Zero(), 2});
  for (const double count : sharing_counts(manifold, kSharing)) EXPECT_EQ(count, 1.0);
}

}  // namespace
}  // namespace scree
