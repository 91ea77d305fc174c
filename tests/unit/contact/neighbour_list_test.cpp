#include "scree/contact/neighbour_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "scenes.hpp"
#include "scree/contact/broadphase.hpp"
#include "scree/geometry/shapes/plane.hpp"

namespace scree {
namespace {

using testing::add_balls;
using testing::ball;
using testing::Random;
using testing::sorted;
using testing::tool;

constexpr double kSkin = 1e-3;
constexpr double kDt = 1e-3;

/// Moves all grains by their velocities, with boxes that fit.
void go_on(Store& store) {
  for (std::int32_t i = store.first_owned(); i < store.size(); ++i) {
    store.position[i] += kDt * store.velocity[i];
    store.free_velocity[i] = store.velocity[i];
  }
  update_boxes(store, {kDt, 0.01});
}

/// 400 grains above a plane, each with its own velocity up to about @p speed, m/s.
Store bed(double speed) {
  Random random(31);
  Store store;
  append_tool(store, tool(0, Plane{}, Vec3(0, 0, -0.1)));
  add_balls(store, random, 400, 0.15, 0.01, 0.02, speed);
  go_on(store);
  return store;
}

void expect_same(NeighbourList& list, const Store& store) {
  EXPECT_EQ(sorted(list.meeting(store, kSkin, kDt)), sorted(broadphase(store)));
}

TEST(NeighbourList, GivesThePairsOfTheBroadphaseWhileBodiesMove) {
  for (const double speed : {0.0, 0.01, 0.3, 30.0}) {
    Store store = bed(speed);
    NeighbourList list;
    for (int step = 0; step < 60; ++step) {
      expect_same(list, store);
      go_on(store);
    }
    // at 0.01 m/s along each axis a grain crosses the skin in 100 steps, at 30 m/s five skins in
    // less than one
    if (speed <= 0.01) {
      EXPECT_EQ(list.n_listings(), 1) << speed;
    }
    if (speed == 30.0) {
      EXPECT_EQ(list.n_listings(), 60);
    }
  }
}

TEST(NeighbourList, KeepsThePairsInTheOrderOfIds) {
  const Store store = bed(0.0);
  NeighbourList list;
  const std::vector<Pair> pairs = list.meeting(store, kSkin, kDt);
  EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end(), [&](const Pair& p, const Pair& q) {
    const auto ids = [&](const Pair& pair) {
      return std::pair(store.id[pair.a], store.id[pair.b]);
    };
    return ids(p) < ids(q);
  }));
}

/// As often as a list must serve not to be given up.
void expect_thrice(NeighbourList& list, const Store& store) {
  for (int k = 0; k < 3; ++k) expect_same(list, store);
}

TEST(NeighbourList, SeesThatBodiesComeGoAndChangeTheirSlots) {
  Store store = bed(0.0);
  NeighbourList list;
  expect_thrice(list, store);
  append_grain(store, ball(9999, Vec3(0.01, 0.02, 0.03), 0.02));
  go_on(store);
  expect_thrice(list, store);
  std::vector<bool> stays(store.n_owned, true);
  stays[7] = stays[100] = false;
  keep_owned(store, stays);
  go_on(store);
  expect_thrice(list, store);
  store.n_owned -= 50;  // the last are another rank's now
  expect_thrice(list, store);
  store.image.back() = Vec3i(1, 0, 0);
  expect_thrice(list, store);
  EXPECT_EQ(list.n_listings(), 4);  // whose a body is makes no pair
}

}  // namespace
}  // namespace scree
