#include "scree/contact/broadphase.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>

#include "scenes.hpp"
#include "scree/geometry/shapes/box.hpp"
#include "scree/geometry/shapes/plane.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {
namespace {

using testing::add_balls;
using testing::ball;
using testing::Random;
using testing::sorted;
using testing::tool;
using testing::uniform;
using testing::vector_in;

/// To look for the pairs of one body in @p every, and of all others, gives those of @p all with
/// such a body.
void expect_same_pairs_of(const Store& store, const std::vector<Pair>& all, std::int32_t every) {
  const auto is_of = [=](std::int32_t slot) { return slot % every == every / 2; };
  std::vector<std::int32_t> some;
  std::vector<std::int32_t> others;
  for (std::int32_t slot = 0; slot < store.size(); ++slot) {
    (is_of(slot) ? some : others).push_back(slot);
  }
  std::vector<Pair> expected = all;
  std::erase_if(expected, [&](const Pair& p) { return !is_of(p.a) && !is_of(p.b); });
  EXPECT_EQ(sorted(broadphase_of(some, store, store.box)), expected) << every;
  expected = all;
  std::erase_if(expected, [&](const Pair& p) { return is_of(p.a) && is_of(p.b); });
  EXPECT_EQ(sorted(broadphase_of(others, store, store.box)), expected) << every;
}

/// @returns the number of pairs, which both ways must find.
std::size_t expect_same_pairs(Store& store, double smallest_radius, double dt = 1e-3) {
  update_boxes(store, {dt, smallest_radius});
  const std::vector<Pair> fast = sorted(broadphase(store));
  const std::vector<Pair> slow = sorted(all_pairs(store));
  EXPECT_TRUE(fast == slow) << fast.size() << " pairs against " << slow.size();
  EXPECT_TRUE(std::adjacent_find(fast.begin(), fast.end()) == fast.end()) << "a pair came twice";
  for (const Pair& pair : fast) {
    EXPECT_LT(store.id[pair.a], store.id[pair.b]);
    EXPECT_FALSE(store.is_tool(pair.a));
  }
  for (const std::int32_t every : {1, 2, 7, 300}) expect_same_pairs_of(store, slow, every);
  return fast.size();
}

TEST(Broadphase, FindsThePairsOfAllPairs) {
  Random random(11);
  for (int seed = 0; seed < 5; ++seed) {
    Store store;
    add_balls(store, random, 800, 0.3, 0.01, 0.02, 1.0);
    EXPECT_GT(expect_same_pairs(store, 0.01), 100u);
  }
}

TEST(Broadphase, WideDistributionsOfSizes) {
  Random random(12);
  for (const double ratio : {3.0, 30.0, 1000.0}) {
    Store store;
    add_balls(store, random, 1000, 0.5, 0.2 / ratio, 0.2, 0.0);
    EXPECT_GT(expect_same_pairs(store, 0.2 / ratio), 100u);
  }
}

/// Large balls, and small ones at random just outside of their surfaces.
Store dusted(Random& random, int large, int small, double ratio) {
  Store store;
  add_balls(store, random, large, 0.5, 0.1, 0.1, 0.0);
  const double radius = 0.1 / ratio;
  for (int k = 0; k < small; ++k) {
    const Vec3 way = vector_in(random, Vec3::Constant(-1), Vec3::Constant(1)).normalized();
    const double distance = 0.1 + radius * uniform(random, 0.9, 3.0);
    const Vec3 place = store.position[k % large] + distance * way;
    append_grain(store, ball(large + k, place, radius, 0.1 * way));
  }
  return store;
}

TEST(Broadphase, GrainsAHundredthAsLargeOnManyAndOnFewLargeOnes) {
  Random random(18);
  for (const int large : {40, 5}) {  // with a grid, and too few for one
    Store store = dusted(random, large, 3000, 100.0);
    EXPECT_GT(expect_same_pairs(store, 0.001), 3000u);
  }
}

TEST(Broadphase, SizesBesideEachOtherFarFromTheOrigin) {
  Random random(19);
  Store store = dusted(random, 40, 2000, 5.0);  // cells of the large reach hardly beyond the small
  for (Vec3& place : store.position) place += Vec3(-3e6, 2e6, 1e6);
  EXPECT_GT(expect_same_pairs(store, 0.02), 2000u);
}

TEST(Broadphase, PlanesThinBoxesAndBoulders) {
  Random random(13);
  Store store;
  append_tool(store, tool(0, Plane{}, Vec3(0, 0, -0.5), rotation_by({0.1, 0, 0})));
  append_tool(store, tool(3, Plane{}, Vec3(0, 0, -0.5)));
  append_tool(store, tool(4, Plane{}, Vec3(0, 0.4, 0), rotation_by({M_PI / 2, 0, 0})));
  append_tool(store, tool(1, Box{{0.4, 0.0025, 0.3}}, Vec3(0.1, 0, 0), rotation_by({0, 0.3, 1})));
  append_tool(store, tool(2, Sphere{0.2}, Vec3(-0.1, 0.2, 0)));
  add_balls(store, random, 600, 0.5, 0.01, 0.02, 0.0);
  append_grain(store, ball(600, Vec3(0.3, 0.3, 0.3), 0.3));
  EXPECT_GT(expect_same_pairs(store, 0.01), 600u);  // the box of the slanted plane meets everybody
}

TEST(Broadphase, BodiesSpreadFarAndFewAndNone) {
  Random random(14);
  Store far;
  add_balls(far, random, 300, 1e7, 0.01, 0.02, 0.0);
  add_balls(far, random, 300, 0.1, 0.01, 0.02, 0.0);
  EXPECT_GT(expect_same_pairs(far, 0.01), 100u);
  Store few;
  add_balls(few, random, 5, 0.02, 0.01, 0.02, 0.0);
  EXPECT_GT(expect_same_pairs(few, 0.01), 0u);
  Store none;
  EXPECT_EQ(expect_same_pairs(none, 0.01), 0u);
}

TEST(Broadphase, OnALatticeWhereBoxesTouchCellBorders) {
  Store store;
  std::int64_t id = 0;
  for (int i = -5; i < 5; ++i) {
    for (int j = -5; j < 5; ++j) {
      for (int k = -5; k < 5; ++k) append_grain(store, ball(id++, 0.02 * Vec3(i, j, k), 0.01));
    }
  }
  EXPECT_GT(expect_same_pairs(store, 0.01), 2700u);
}

TEST(Broadphase, GhostsTakePart) {
  Random random(15);
  Store store;
  add_balls(store, random, 500, 0.2, 0.01, 0.02, 0.0);
  update_boxes(store, {1e-3, 0.01});
  store.n_owned = 250;  // the rest are ghosts now, with boxes
  const std::vector<Pair> fast = sorted(broadphase(store));
  EXPECT_EQ(fast, sorted(all_pairs(store)));
  const auto both_ghosts = std::count_if(fast.begin(), fast.end(), [&](const Pair& pair) {
    return store.is_ghost(pair.a) && store.is_ghost(pair.b);
  });
  EXPECT_GT(both_ghosts, 0);
}

TEST(Broadphase, BodiesWithoutANumberForAPositionMeetNobody) {
  Random random(16);
  Store store;
  add_balls(store, random, 100, 0.1, 0.01, 0.02, 0.0);
  store.position[3].x() = std::nan("");
  store.position[4].y() = 1e300;
  expect_same_pairs(store, 0.01);
}

/// Processor time, which a busy machine does not stretch.
double seconds_of(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

Store packed(int count) {
  Random random(17);
  Store store;
  add_balls(store, random, count, 0.15 * std::cbrt(count / 2500.0), 0.008, 0.016, 0.0);
  update_boxes(store, {1e-3, 0.008});
  return store;
}

TEST(Broadphase, TwentyThousandGrainsTakeLessThanAllPairsOfAQuarter) {
  const Store few = packed(5000);
  const Store many = packed(20000);
  std::size_t count = 0;
  double best = 1e300;
  for (int k = 0; k < 3; ++k) {
    best = std::min(best, seconds_of([&] { count = broadphase(many).size(); }));
  }
  const double quarter = seconds_of([&] { all_pairs(few); });
  std::printf("20,000 grains: %.1f ms, %zu pairs; all pairs of 5,000: %.1f ms\n", 1e3 * best, count,
              1e3 * quarter);
  EXPECT_LT(best, quarter);
}

}  // namespace
}  // namespace scree
