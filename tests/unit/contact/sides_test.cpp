/// Bodies that are pressed on several sides of a wall that is around them.

#include "scree/contact/sides.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "scenes.hpp"
#include "scree/contact/narrowphase.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree::testing {
namespace {

constexpr double kBall = 0.01;
constexpr double kStep = 0.1;
const Reach kFarReach{.dt = kStep, .smallest_radius = kBall};

HollowCylinder pipe(double radius) {
  return HollowCylinder{{radius, radius, -1.0, 1.0}};
}

/// A grain of a shape at @p place in a wall about the origin, which meets all that is about it.
Store grain_in(const Shape& wall, const Shape& grain, const Vec3& place) {
  Store store;
  append_tool(store, tool(0, wall, Vec3::Zero()));
  Body body = ball(0, place, kBall);
  body.shape = grain;
  append_grain(store, body);
  store.velocity.back() = {0.0, 0.0, 0.1};
  store.free_velocity.back() = store.velocity.back();
  update_boxes(store, kFarReach);
  return store;
}

/// The share of the step in which that contact alone takes an impulse which moves the grain by
/// @p moved (over its radius), solved to @p velocity_error, m/s.
double share_pressed(const Store& store, const std::vector<Contact>& contacts, std::size_t pressed,
                     double moved, double velocity_error = 0.0) {
  std::vector<double> impulses(contacts.size(), 0.0);
  impulses[pressed] = moved * kBall / kStep * store.mass.back();
  return furthest_on_sides(store, contacts, impulses, {kStep, velocity_error}).share;
}

std::vector<Contact> contacts_in(const Store& store) {
  return narrowphase(store, {{1, 0}}, kFarReach).copy();
}

std::size_t nearest_of(const std::vector<Contact>& contacts) {
  return static_cast<std::size_t>(std::ranges::min_element(contacts, {}, &Contact::gap) -
                                  contacts.begin());
}

TEST(Sides, ABallInAHoleOrARingIsPressedOnTheNearestAlone) {
  const double room = 0.3 * kBall;
  for (const Shape& wall : {Shape(pipe(kBall + room)), Shape(Ring{2.0 * kBall + room, kBall})}) {
    const Store store = grain_in(wall, Sphere{kBall}, {0.2 * kBall, 0.1 * kBall, 0.0});
    const std::vector<Contact> contacts = contacts_in(store);
    ASSERT_GE(contacts.size(), 3);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const double share = share_pressed(store, contacts, i, 1e-3);
      EXPECT_EQ(share > 1.0, i != nearest_of(contacts)) << type_of(wall) << " " << i;
      EXPECT_EQ(share_pressed(store, contacts, i, 1e-9), 0.0) << "nearly nothing";
      const double error = 0.6e-3 * kBall / kStep;
      EXPECT_EQ(share_pressed(store, contacts, i, 1e-3, error), 0.0) << "what a solve leaves";
    }
  }
}

TEST(Sides, ABallThatFillsAHoleRestsOnThreeSides) {
  for (const double room : {-0.001, 0.0, 0.9 * kApartAtStart}) {
    const Store store = grain_in(pipe((1.0 + room) * kBall), Sphere{kBall}, Vec3::Zero());
    const std::vector<Contact> contacts = contacts_in(store);
    ASSERT_EQ(contacts.size(), 3);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      EXPECT_EQ(share_pressed(store, contacts, i, 0.5), 0.0) << room;
    }
  }
}

/// Others bear where they come to the wall with another point: a rod that goes down with one end.
TEST(Sides, OtherBodiesThanBallsHavePointsOnAll) {
  const Store store =
      grain_in(pipe(1.3 * kBall), Capsule{kBall, 2.0 * kBall}, {0.2 * kBall, 0.0, 0.0});
  const std::vector<Contact> along = contacts_in(store);
  ASSERT_EQ(along.size(), 6);
  for (std::size_t i = 0; i < along.size(); ++i) {
    EXPECT_EQ(share_pressed(store, along, i, 1e-3), 0.0) << i;
  }
}

TEST(Sides, OfOtherPairsAreNone) {
  const Store store = grain_in(Plane{}, Box{{kBall, kBall, kBall}}, {0.0, 0.0, kBall});
  EXPECT_FALSE(any_around(store));
  std::vector<Contact> contacts = contacts_in(store);
  ASSERT_EQ(contacts.size(), 4);
  for (Contact& contact : contacts) contact.gap += 0.1 * kBall;
  contacts[0].gap = 0.0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    EXPECT_EQ(share_pressed(store, contacts, i, 0.5), 0.0);
  }
  EXPECT_TRUE(any_around(grain_in(pipe(0.1), Sphere{kBall}, Vec3::Zero())));
  EXPECT_TRUE(any_around(grain_in(Plane{}, Ring{0.1, kBall}, Vec3::Zero())));
}

/// In a wall that is around it a ball's own way counts, or the wall's, from a quarter of kDeepest.
TEST(AnyGoesFarInWall, ByItsOwnWayOrByThatOfTheWall) {
  const auto is_due = [](const Shape& wall, double way, double way_of_wall) {
    Store store = grain_in(wall, Sphere{kBall}, Vec3::Zero());
    store.velocity[0] = {0.0, way_of_wall * kBall / kStep, 0.0};
    const std::vector<double> end = {way * kBall / kStep, 0.0, 0.0, 0.0, 0.0, 0.0};
    return any_goes_far_in_wall(store, end, kBall, kStep);
  };
  for (const Shape& wall : {Shape(pipe(0.02)), Shape(Ring{0.03, kBall})}) {
    EXPECT_TRUE(is_due(wall, 0.03, 0.0)) << type_of(wall);
    EXPECT_TRUE(is_due(wall, 0.0, 0.03)) << type_of(wall);
    EXPECT_FALSE(is_due(wall, 0.01, 0.01)) << type_of(wall);
  }
  EXPECT_FALSE(is_due(Plane{}, 1.0, 1.0));
}

/// A pipe that turns about its own axis stays where it is.
TEST(AnyGoesFarInWall, WhereAWallTurnsAcrossItsAxis) {
  const auto is_due = [](const Vec3& spin) {
    Store store = grain_in(pipe(0.02), Sphere{kBall}, Vec3::Zero());
    store.angular_velocity[0] = spin;
    const std::vector<double> at_rest(6, 0.0);
    return any_goes_far_in_wall(store, at_rest, kBall, kStep);
  };
  EXPECT_TRUE(is_due(Vec3::UnitX()));
  EXPECT_FALSE(is_due(Vec3::UnitZ()));
}

}  // namespace
}  // namespace scree::testing
