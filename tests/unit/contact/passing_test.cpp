/// Convex bodies that a step takes round each other's end, or past each other.

#include "scree/contact/passing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "scenes.hpp"
#include "scree/contact/narrowphase.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"

namespace scree::testing {
namespace {

constexpr double kCapsuleRadius = 0.1;
constexpr double kPassingStep = 0.1;
/// Degrees at which 2 r (1 - cos) is half a radius.
const double kFarthestRound = 180.0 / std::numbers::pi * std::acos(1.0 - 0.5 * kOtherSide);

/// The share of a step in which a capsule that lies on the end of another, across, goes about that
/// end to @p degrees, @p gap from it.
double share_of_way_round(double degrees, double gap, bool is_solved) {
  const Vec3 tip(0.2, 0.0, 0.0);
  const double angle = degrees * std::numbers::pi / 180.0;
  const auto about_tip = [&](double distance, double by) -> Vec3 {
    return tip + distance * Vec3(std::sin(by), 0.0, std::cos(by));
  };
  const auto along = [](const Vec3& axis) { return Quat::FromTwoVectors(Vec3::UnitZ(), axis); };
  Store store;
  for (const auto& [position, axis] :
       {std::pair(Vec3(0, 0, 0), Vec3(1, 0, 0)),
        std::pair(about_tip(2.0 * kCapsuleRadius, 0.0), Vec3(0, 1, 0))}) {
    Body capsule = ball(store.n_owned, position, kCapsuleRadius);
    capsule.shape = Capsule{kCapsuleRadius, 0.4};
    capsule.orientation = along(axis);
    append_grain(store, capsule);
  }
  const Reach reach{.dt = kPassingStep, .smallest_radius = kCapsuleRadius};
  update_boxes(store, reach);
  const ContactList contacts = narrowphase(store, {{1, 0}}, reach);
  EXPECT_EQ(contacts.size(), 1U);
  std::vector<Pose> poses = {pose_of(store, 0), pose_of(store, 1)};
  poses[1].position = about_tip(2.0 * kCapsuleRadius + gap, angle);
  std::vector<Vec6> velocities(2, Vec6::Zero());
  velocities[1].head<3>() = (poses[1].position - store.position[1]) / kPassingStep;
  const PeriodicCell cell;
  return furthest_into(store, contacts, std::vector<bool>(contacts.size(), false),
                       {poses, velocities, cell, is_solved}, kPassingStep)
      .share;
}

TEST(Passing, NotByGoingRoundAnEndInASolvedStep) {
  for (const double degrees : {20.0, 30.0, kFarthestRound - 0.1}) {
    EXPECT_LE(share_of_way_round(degrees, 0.0, true), 1.0) << degrees;
    EXPECT_GT(share_of_way_round(degrees, -0.2 * kCapsuleRadius, true), 1.0)
        << degrees << ", too deep";
  }
}

TEST(Passing, ByGoingFurtherRoundOrWhereNothingIsSolved) {
  for (const double degrees : {kFarthestRound + 0.1, 60.0, 90.0, 180.0}) {
    EXPECT_GT(share_of_way_round(degrees, 0.0, true), 1.0) << degrees;
  }
  EXPECT_GT(share_of_way_round(60.0, 0.0, false), 1.0);
}

/// Two capsules along x: one from whose centre a way of @p to_second leads to that of the other.
/// The first is a tool where @p cell repeats itself.
Store two_capsules(const Vec3& to_second, const PeriodicCell& cell) {
  Store store;
  Body capsule = ball(0, {0.0, 0.5 * kCapsuleRadius, 0.0}, kCapsuleRadius);
  capsule.shape = Capsule{kCapsuleRadius, 0.4};
  capsule.orientation = Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitX());
  Body second = capsule;
  second.id = 1;
  second.position += to_second;
  cell.wrap(second.position);
  capsule.id = cell.repeats() ? kFirstToolId : 0;
  cell.repeats() ? append_tool(store, capsule) : append_grain(store, capsule);
  append_grain(store, second);
  return store;
}

/// The share of a step that takes a capsule from where it lies on another, on the side of @p out,
/// by @p way, where its row has become one of a later recursion, with @p normal.
double share_by_a_later_row(const Vec3& out, const Vec3& normal, const Vec3& way,
                            const PeriodicCell& cell = {}) {
  Store store = two_capsules(2.0 * kCapsuleRadius * out, cell);
  const Reach reach{.dt = kPassingStep, .smallest_radius = kCapsuleRadius, .cell = cell};
  update_boxes(store, reach);
  std::vector<Contact> rows = narrowphase(store, {{1, 0}}, reach).copy();
  EXPECT_FALSE(rows.empty());
  rows.resize(1);
  rows[0].normal = normal;
  std::vector<Pose> poses = {pose_of(store, 0), pose_of(store, 1)};
  poses[1].position += way;
  std::vector<Vec6> velocities(2, Vec6::Zero());
  velocities[1].head<3>() = way / kPassingStep;
  // the pair is looked at since it turns
  velocities[1][4] = 0.5 * kDeepest / kPassingStep;
  return furthest_into(store, ContactList(rows, false), {false}, {poses, velocities, cell, true},
                       kPassingStep)
      .share;
}

const Vec3 kUp = Vec3::UnitZ();
const Vec3 kThrough = -4.0 * kCapsuleRadius * kUp;  // to the other's other side

TEST(Passing, IsToldByThePlaneOfTheStartWhereNoRowHasIt) {
  const Vec3 along = Vec3::UnitX();
  EXPECT_LE(share_by_a_later_row(kUp, along, -0.5 * kCapsuleRadius * along), 1.0);
  EXPECT_GT(share_by_a_later_row(kUp, along, kThrough), 1.0);
}

TEST(Passing, IsNotToldByAPlaneOfTheOtherSide) {
  EXPECT_GT(share_by_a_later_row(kUp, -kUp, kThrough), 1.0);
}

/// A plane that fails at the start by less than half a radius is one of a way round, and counts.
TEST(Passing, IsToldByAPlaneOfAWayRoundAlone) {
  const auto round_by = [](double cosine) {
    const Vec3 normal(0.0, std::sqrt(1.0 - cosine * cosine), cosine);  // fails by 2 r (1 - cosine)
    return share_by_a_later_row(kUp, normal, 2.0 * kCapsuleRadius * (normal - kUp));
  };
  EXPECT_LE(round_by(0.8), 1.0);
  EXPECT_GT(round_by(0.7), 1.0);
}

/// A plane that turns beneath a capsule far from its middle, where its row has the normal that it
/// comes to.
TEST(Passing, IntoAPlaneIsToldByWhereItIsAtTheStart) {
  const double angle = 2.0 * kDeepest * kCapsuleRadius;  // at 1 m from its middle
  Store store;
  Body plane = ball(kFirstToolId, Vec3::Zero(), kCapsuleRadius);
  plane.shape = Plane{};
  Body capsule = ball(0, {1.0, 0.0, 0.2 + kCapsuleRadius}, kCapsuleRadius);
  capsule.shape = Capsule{kCapsuleRadius, 0.4};
  append_tool(store, plane);
  append_grain(store, capsule);
  const Reach reach{.dt = kPassingStep, .smallest_radius = kCapsuleRadius};
  update_boxes(store, reach);
  std::vector<Contact> rows = narrowphase(store, {{1, 0}}, reach).copy();
  ASSERT_FALSE(rows.empty());
  std::vector<Pose> poses = {pose_of(store, 0), pose_of(store, 1)};
  poses[0].orientation = Quat(Eigen::AngleAxisd(-angle, Vec3::UnitY()));  // up at x > 0
  for (Contact& row : rows) row.normal = poses[0].orientation * Vec3::UnitZ();
  std::vector<Vec6> velocities(2, Vec6::Zero());
  velocities[0][4] = -angle / kPassingStep;
  const std::vector<bool> yields(rows.size(), false);
  const double share = furthest_into(store, ContactList(rows, false), yields,
                                     {poses, velocities, PeriodicCell(), true}, kPassingStep)
                           .share;
  EXPECT_NEAR(share, 2.0, 0.05);  // to first order of the angle, which is 0.02
}

/// The second capsule is in the cell's last tenth, and meets the first, a tool in the first, across
/// its side.
TEST(Passing, IsToldAcrossASideOfThePeriodicCell) {
  const PeriodicCell cell{.period = {0.0, 1.0, 0.0}};
  const Vec3 out = Vec3(0.0, -std::sqrt(0.5), std::sqrt(0.5));
  EXPECT_LE(share_by_a_later_row(out, Vec3::UnitX(), -0.5 * kCapsuleRadius * Vec3::UnitX(), cell),
            1.0);
  EXPECT_GT(share_by_a_later_row(out, -out, -4.0 * kCapsuleRadius * out, cell), 1.0);
}

}  // namespace
}  // namespace scree::testing
