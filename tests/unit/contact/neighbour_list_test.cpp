#include "scree/contact/neighbour_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <optional>

#include "scenes.hpp"
#include "scree/contact/broadphase.hpp"
#include "scree/geometry/shapes/plane.hpp"
#include "scree/geometry/shapes/sphere.hpp"

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

/// The list's pairs on a rank that has all space.
std::vector<Pair> meeting(NeighbourList& list, Store& store) {
  const std::optional<NewSkins> left = list.left(store, kSkin, kDt);
  if (!left) {
    list.begin(store, kSkin, kDt);
  } else if (!left->slots.empty()) {
    for (std::size_t k = 0; k < left->slots.size(); ++k)
      store.skin[left->slots[k]] = left->skins[k];
    list.mend(left->slots);
  }
  list.serve(store, [](const Vec3&) { return true; });
  return list.meeting(store);
}

void expect_same(NeighbourList& list, Store& store) {
  EXPECT_EQ(sorted(meeting(list, store)), sorted(broadphase(store)));
}

/// As often as a list must serve not to be given up.
void expect_thrice(NeighbourList& list, Store& store) {
  for (int k = 0; k < 3; ++k) expect_same(list, store);
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

bool are_in_the_order_of_ids(const Store& store, const std::vector<Pair>& pairs) {
  const auto ids = [&](const Pair& pair) { return std::pair(store.id[pair.a], store.id[pair.b]); };
  return std::ranges::is_sorted(pairs, {}, ids);
}

TEST(NeighbourList, KeepsThePairsInTheOrderOfIds) {
  Store store = bed(0.0);
  NeighbourList list;
  EXPECT_TRUE(are_in_the_order_of_ids(store, meeting(list, store)));
}

/// A few grains and a tool that go through a bed at rest have only their own pairs listed anew.
TEST(NeighbourList, IsMendedWhereFewLeaveTheirSkins) {
  Store store = bed(0.0);
  append_tool(store, tool(1, Sphere{0.03}, Vec3(0, 0, 0.1)));
  for (const std::int32_t i : {3, 80, 81, 200}) store.velocity[i].x() = i % 2 == 0 ? 1.0 : -0.5;
  NeighbourList list;
  for (int step = 0; step < 60; ++step) {
    store.position[1].z() -= 2e-3;  // the tool
    go_on(store);
    expect_same(list, store);
    EXPECT_TRUE(are_in_the_order_of_ids(store, list.meeting(store)));
  }
  EXPECT_EQ(list.n_listings(), 1);
  EXPECT_GT(list.n_mendings(), 10);
}

TEST(NeighbourList, IsMadeAnewWhereManyLeaveTheirSkins) {
  Store store = bed(0.0);
  NeighbourList list;
  expect_thrice(list, store);
  for (std::int32_t i = 1; i <= 20; ++i) store.position[i].x() += 2.0 * kSkin;
  go_on(store);
  expect_thrice(list, store);
  EXPECT_EQ(list.n_mendings(), 1);
  for (std::int32_t i = 1; i <= 21; ++i) store.position[i].x() += 2.0 * kSkin;
  go_on(store);
  expect_thrice(list, store);
  EXPECT_EQ(list.n_listings(), 2);
  EXPECT_EQ(list.n_mendings(), 1);
}

TEST(NeighbourList, LeavesOutMaterialsThatDoNotMeet) {
  Store store = bed(0.1);
  for (std::int32_t slot = 0; slot < store.size(); ++slot) store.material[slot] = slot % 3;
  MeetingMaterials meetings(3);
  meetings.part(0, 2);
  meetings.part(1, 1);
  NeighbourList list;
  list.begin(store, kSkin, kDt);
  list.serve(
      store, [](const Vec3&) { return true; }, meetings);
  const std::vector<Pair> found = list.meeting(store);
  std::vector<Pair> expected = all_pairs(store);
  const std::size_t n_all = expected.size();
  std::erase_if(expected, [&](const Pair& pair) {
    const int a = store.material[pair.a];
    const int b = store.material[pair.b];
    return (a == 1 && b == 1) || std::abs(a - b) == 2;
  });
  EXPECT_LT(expected.size(), n_all);
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(sorted(found), sorted(expected));
}

TEST(NeighbourList, SeesThatBodiesComeAndGo) {
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
  EXPECT_EQ(list.n_listings(), 3);
}

TEST(NeighbourList, HasNoSkinForSomeStepsAfterOneThatServedForTooFew) {
  Store store = bed(0.0);
  NeighbourList list;
  expect_same(list, store);
  EXPECT_TRUE(list.may_last());
  int bare = -1;
  do {
    list.clear();
    expect_same(list, store);
    ++bare;
  } while (!list.may_last());
  EXPECT_EQ(bare, 20);
}

TEST(NeighbourList, OfTheRanksHasEachPairOnce) {
  Store store = bed(0.01);
  NeighbourList lower;
  NeighbourList upper;
  lower.begin(store, kSkin, kDt);
  upper.begin(store, kSkin, kDt);
  for (int step = 0; step < 20; ++step) {
    lower.serve(store, [](const Vec3& p) { return p.x() <= 0.0; });
    upper.serve(store, [](const Vec3& p) { return p.x() > 0.0; });
    std::vector<Pair> pairs = lower.meeting(store);
    const std::vector<Pair> others = upper.meeting(store);
    EXPECT_GT(pairs.size(), 100U);
    EXPECT_GT(others.size(), 100U);
    // the grains are all owned here, and so are their pairs with the plane
    const auto with_plane = [](const Pair& pair) { return pair.b == 0; };
    std::ranges::copy_if(others, std::back_inserter(pairs), std::not_fn(with_plane));
    EXPECT_EQ(sorted(pairs), sorted(broadphase(store)));
    go_on(store);
    const std::optional<NewSkins> left = lower.left(store, kSkin, kDt);
    ASSERT_TRUE(left && left->slots.empty());
  }
}

}  // namespace
}  // namespace scree
