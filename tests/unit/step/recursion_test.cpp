#include "scree/step/recursion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/contact/broadphase.hpp"
#include "scree/contact/narrowphase.hpp"
#include "scree/geometry/shapes/box.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "step/allowance.hpp"
#include "step/solve_error.hpp"
#include "step/start_of_pairs.hpp"

namespace scree {
namespace {

constexpr double kStep = 1e-3;
constexpr double kTolerance = 1e-5;

/// Two bodies in their slots 0 and 1, as a step finds them: B may be a tool.
class Two {
 public:
  Two(const Body& a, const Body& b) {
    const bool with_tool = b.id >= kFirstToolId;
    if (with_tool) append_tool(store, b);
    append_grain(store, a);
    if (!with_tool) append_grain(store, b);
    slot_a = with_tool ? 1 : 0;
    slot_b = with_tool ? 0 : 1;
    update_boxes(store, reach);
    pairs = broadphase(store);
  }

  /// The bodies after a step with these velocities.
  Trial trial(const Vec6& of_a, const Vec6& of_b) const {
    Trial result{std::vector<Pose>(2), std::vector<Vec6>(2)};
    result.velocities[slot_a] = of_a;
    result.velocities[slot_b] = of_b;
    for (std::int32_t slot = 0; slot < 2; ++slot) {
      const Vec6& v = result.velocities[slot];
      result.poses[slot] = moved(pose_of(store, slot), v.head<3>(), v.tail<3>(), kStep);
    }
    return result;
  }
  std::vector<Contact> overlaps_at(const Trial& at) const {
    return overlaps(store, pairs, at.poses, reach);
  }
  Overlaps pulled(const Trial& at, ContactView contacts = {}) const {
    const Allowances allowed =
        allowances(contacts, {}, std::vector<double>(contacts.size(), 0.0), at, kStep);
    return pulled_back(store, overlaps_at(at), allowed, at, kTolerance, 3, kStep);
  }
  /// The constraints that pulled() gives, but for those that are the error of a solve of @p
  /// contacts.
  std::vector<Contact> lacking(const Trial& at, ContactView contacts) const {
    std::vector<Contact> constraints = pulled(at, contacts).constraints;
    erase_errors_of_solve(store, contacts, std::vector<double>(contacts.size(), 0.0), at,
                          kTolerance, kStep, constraints);
    return constraints;
  }

  Store store;
  Reach reach{.dt = kStep, .smallest_radius = 0.1, .spare = 0.5};
  std::vector<Pair> pairs;
  std::int32_t slot_a = 0;
  std::int32_t slot_b = 1;
};

Body ellipsoid(std::int64_t id, const Vec3& position, double angle) {
  return {.id = id,
          .position = position,
          .orientation = Quat(Eigen::AngleAxisd(angle, Vec3(1, 2, 3).normalized())),
          .shape = Ellipsoid{{0.1, 0.15, 0.3}},
          .density = 1000.0};
}

Vec6 velocity(double x, double y, double z, double p, double q, double r) {
  Vec6 v;
  v << x, y, z, p, q, r;
  return v;
}

/// phi of the row at these velocities, by the row.
double gap_of_row(const Two& two, const Contact& row, const Trial& at) {
  const auto speed = [&](std::int32_t slot, const Vec3& arm) -> Vec3 {
    const Vec6& v = at.velocities[slot];
    return v.head<3>() + v.tail<3>().cross(arm);
  };
  return row.gap +
         kStep * row.normal.dot(speed(two.slot_a, row.arm_a) - speed(two.slot_b, row.arm_b));
}

/// The row tells the gap of the trial configuration for velocities near those of the solve: by
/// discrete differences in each component, whose own error (curvature, dt times the spins, and the
/// half of the way of the centres against each other that is in the arms) is below half a percent
/// of the change.
void expect_linearisation(const Two& two, const Vec6& of_a, const Vec6& of_b) {
  const Trial solved = two.trial(of_a, of_b);
  const Overlaps left = two.pulled(solved);
  ASSERT_EQ(left.constraints.size(), 1u);
  const Contact& row = left.constraints.front();
  EXPECT_EQ(row.key.recursion, 3);
  const double phi = two.overlaps_at(solved).front().gap;
  EXPECT_NEAR(gap_of_row(two, row, solved), phi, 1e-15);
  for (int k = 0; k < 6; ++k) {
    const double change = k < 3 ? 0.02 : 0.2;
    const Trial other = two.trial(of_a + change * Vec6::Unit(k), of_b);
    const double exact = two.overlaps_at(other).front().gap - phi;
    const double told = gap_of_row(two, row, other) - phi;
    EXPECT_NEAR(told, exact, 5e-3 * kStep * change) << "component " << k;
  }
}

TEST(Recursion, ARowOfTwoGrainsIsTheDerivativeOfTheirGap) {
  const Two two(ellipsoid(1, {0, 0, 0}, 0.0), ellipsoid(2, {0.16, 0.05, 0.1}, 1.0));
  expect_linearisation(two, velocity(0.3, -0.1, 0.2, 2, -1, 1), velocity(-0.4, 0.2, 0.1, 1, 2, 0));
}

TEST(Recursion, ARowWithAToolThatMovesAndTurnsIsTheDerivativeOfTheirGap) {
  Body blade;
  blade.id = kFirstToolId;
  blade.shape = Box{.half_size = {0.05, 0.4, 0.4}};
  blade.position = {0.14, 0, 0};
  blade.velocity = {-0.5, 0.1, 0};
  blade.angular_velocity = {0, 1, 2};
  const Two two(ellipsoid(1, {0, 0, 0}, 0.4), blade);
  Vec6 of_blade;
  of_blade << blade.velocity, blade.angular_velocity;
  expect_linearisation(two, velocity(0.3, -0.1, 0.2, 2, -1, 1), of_blade);
}

/// Impulses against each other at one point have no moment together, whatever their direction.
TEST(Recursion, TheArmsOfTwoGrainsMeetAtTheStart) {
  const Two two(ellipsoid(1, {0, 0, 0}, 0.0), ellipsoid(2, {0.16, 0.05, 0.1}, 1.0));
  const Trial solved = two.trial(velocity(30, -10, 2, 2, -1, 1), velocity(-4, 20, 10, 1, 2, 0));
  const Overlaps left = two.pulled(solved);
  ASSERT_EQ(left.constraints.size(), 1u);
  const Contact& row = left.constraints.front();
  const Vec3 apart =
      (two.store.position[row.a] + row.arm_a) - (two.store.position[row.b] + row.arm_b);
  EXPECT_LE(apart.norm(), 1e-16);
  // halfway between where they would be seen from either
  const Contact found = two.overlaps_at(solved).front();
  EXPECT_NEAR((row.arm_a - found.arm_a + row.arm_b - found.arm_b).norm(), 0.0, 1e-16);
}

/// Two balls that touch and were solved to approach: what overlaps is all the solve's error.
TEST(Recursion, AnOverlapThatTheSolveLeftAsksForNoRow) {
  const auto ball = [](std::int64_t id, double x) {
    return Body{.id = id, .position = {x, 0, 0}, .shape = Sphere{0.1}, .density = 1000.0};
  };
  Two two(ball(1, 0.0), ball(2, 0.2));
  const std::vector<Contact> contacts = narrowphase(two.store, two.pairs, two.reach).copy();
  ASSERT_EQ(contacts.size(), 1u);
  const Trial closing = two.trial(velocity(0.1, 0, 0, 0, 0, 0), Vec6::Zero());
  const Overlaps left = two.pulled(closing, contacts);
  EXPECT_NEAR(left.largest, 1e-3, 1e-12);  // 0.1 m/s in 1 ms, of 0.1 m
  EXPECT_EQ(left.id_a, 1);
  EXPECT_EQ(left.id_b, 2);
  EXPECT_EQ(left.constraints.size(), 1u);
  EXPECT_TRUE(two.lacking(closing, contacts).empty());
  EXPECT_EQ(two.lacking(closing, {}).size(), 1u);  // a pair without rows
  // a solve that missed the row by less: the rest, beyond half the tolerance, is for a row of its
  // own
  std::vector<Contact> apart = contacts;
  apart[0].gap = 0.4 * kTolerance * 0.1;
  EXPECT_TRUE(two.lacking(closing, apart).empty());
  apart[0].gap = 0.6 * kTolerance * 0.1;
  EXPECT_EQ(two.lacking(closing, apart).size(), 1u);
}

/// The load of a pair that rests is shared among the points of all recursions: the next start has
/// all of it, and each part at the nearest point.
TEST(Recursion, ForcesOfRecursionsStartAtTheNearestPointOfTheNextStep) {
  const auto record = [](std::int32_t feature, std::int32_t recursion, double x, double force) {
    ContactRecord r;
    r.key = {.id_a = 1, .id_b = 2, .feature = feature, .recursion = recursion};
    r.arm = Vec3(x, 0, 0).cast<float>();
    r.force = {0, 0, force};
    return r;
  };
  const std::vector<ContactRecord> memory{record(0, 0, 0.0, 1.0), record(0, 1, 0.1, 10.0),
                                          record(0, 2, 0.9, 100.0), record(5, 0, 1.0, 1000.0)};
  const auto contact = [](std::int64_t id_b, std::int32_t feature, double x) {
    Contact c{};
    c.key = {.id_a = 1, .id_b = id_b, .feature = feature};
    c.arm_a = {x, 0, 0};
    return c;
  };
  const std::vector<Contact> contacts{contact(2, 5, 1.0), contact(2, 0, 0.0), contact(3, 0, 0.1)};
  FoundRecords own(contacts.size());
  own.set_other(0, memory[3]);
  own.set_other(1, memory[0]);
  const FoundRecords whole = with_recursions(contacts, own, ContactRecords(memory));
  ASSERT_EQ(whole.size(), 3u);
  EXPECT_EQ(whole[0].force.z(), 1100.0);
  EXPECT_EQ(whole[1].force.z(), 11.0);
  EXPECT_EQ(whole[2].force.z(), 0.0);
}

}  // namespace
}  // namespace scree
