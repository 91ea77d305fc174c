// ranks: 1 2 3 4 8 16
//
// Regions cover space once: owner(), holds() and ranks_meeting() agree everywhere, also on the
// cuts, far outside, and with regions that are empty.

#include "scree/domain/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "scree/base/check.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "support/scenes.hpp"

namespace scree::partition_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const MPI_Comm kWorld = MPI_COMM_WORLD;

std::vector<double> ones(const Store& store) {
  return std::vector<double>(store.n_owned, 1.0);
}

/// The last point of the lower side of a cut between @p low and @p high, which differ in @p axis
/// only and have different owners: a point exactly on a cut.
Vec3 point_on_cut(const Partition& partition, Vec3 low, Vec3 high, int axis) {
  const int lower_owner = partition.owner(low);
  while (std::nextafter(low[axis], high[axis]) < high[axis]) {
    Vec3 middle = low;
    middle[axis] = 0.5 * (low[axis] + high[axis]);
    (partition.owner(middle) == lower_owner ? low : high) = middle;
  }
  return low;
}

/// Points at random, far away, and exactly on the cuts; the same on every rank.
std::vector<Vec3> probes(const Partition& partition, double edge) {
  test::Uniform random(99);
  std::vector<Vec3> points;
  for (int i = 0; i < 2000; ++i) points.push_back(random.vector(-0.5 * edge, 1.5 * edge));
  for (int i = 0; i < 50; ++i) points.push_back(random.vector(-1e6, 1e6));
  for (int i = 0; i < 200; ++i) {
    const int axis = i % 3;
    Vec3 low = random.vector(0.0, edge);
    Vec3 high = low;
    low[axis] = -0.5 * edge;
    high[axis] = 1.5 * edge;
    if (partition.owner(low) == partition.owner(high)) continue;
    points.push_back(point_on_cut(partition, low, high, axis));
    points.push_back(points.back());
    points.back()[axis] = std::nextafter(points.back()[axis], high[axis]);
  }
  return points;
}

void expect_regions_cover_once(const Partition& partition, const std::vector<Vec3>& points) {
  std::vector<double> holders(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const int owner = partition.owner(points[i]);
    EXPECT_TRUE(owner >= 0 && owner < size_of(kWorld)) << owner;
    holders[i] = partition.holds(points[i]) ? 1.0 : 0.0;
  }
  sum_over_ranks(kWorld, holders);
  EXPECT_EQ(std::count(holders.begin(), holders.end(), 1.0),
            static_cast<std::ptrdiff_t>(points.size()));
}

bool contains(const std::vector<int>& ranks, int rank) {
  return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

void expect_boxes_find_their_points_owners(const Partition& partition,
                                           const std::vector<Vec3>& points, double edge) {
  test::Uniform random(5);
  std::vector<int> ranks;
  const Box3 everything{Vec3::Constant(-kInfinity), Vec3::Constant(kInfinity)};
  for (const Vec3& p : points) {
    // The point is on a side of the box, or on a corner.
    Box3 box{p - random.vector(0.0, 0.2 * edge), p + random.vector(0.0, 0.2 * edge)};
    const int side = static_cast<int>(random(0.0, 8.0));
    if (side < 3) box.low[side] = p[side];
    if (side >= 3 && side < 6) box.high[side - 3] = p[side - 3];
    if (side == 6) box.low = p;
    if (side == 7) box.high = p;
    partition.ranks_meeting(box, ranks);
    EXPECT_TRUE(contains(ranks, partition.owner(p)));
    EXPECT_TRUE(std::is_sorted(ranks.begin(), ranks.end()));
    EXPECT_EQ(std::adjacent_find(ranks.begin(), ranks.end()), ranks.end());
    const Vec3 inside = box.low + random(0.0, 1.0) * (box.high - box.low);
    EXPECT_TRUE(contains(ranks, partition.owner(inside)));
    EXPECT_TRUE(!partition.holds_all(box) || partition.holds(inside));
    EXPECT_TRUE(ranks != std::vector<int>{rank_of(kWorld)} || partition.holds_all(box));
    partition.ranks_meeting(everything, ranks);
    EXPECT_TRUE(contains(ranks, partition.owner(p)));
  }
}

void expect_sound(const Partition& partition, double edge) {
  const std::vector<Vec3> points = probes(partition, edge);
  expect_regions_cover_once(partition, points);
  expect_boxes_find_their_points_owners(partition, points, edge);
}

TEST(Partition, RankZeroOwnsAllBeforeTheFirstCut) {
  const Partition partition(kWorld);
  EXPECT_EQ(partition.owner({1.0, 2.0, 3.0}), 0);
  expect_sound(partition, 1.0);
}

TEST(Partition, WithoutBodiesNothingIsCut) {
  Partition partition(kWorld);
  partition.cut(Store{}, {});
  expect_sound(partition, 1.0);
}

TEST(Partition, CoversSpaceOnce) {
  for (const std::uint32_t seed : {1U, 2U, 3U}) {
    for (const int clusters : {0, 2}) {
      const test::SceneSpec spec{.seed = seed, .n_grains = 400, .n_clusters = clusters};
      const Store store = test::dealt_scene(spec, kWorld);
      Partition partition(kWorld);
      partition.cut(store, ones(store));
      expect_sound(partition, spec.edge);
    }
  }
}

TEST(Partition, TakesMoreRanksThanBodies) {
  for (const int n : {1, 2, 3, 5}) {
    const Store store = test::dealt_scene({.seed = 4, .n_grains = n}, kWorld);
    Partition partition(kWorld);
    partition.cut(store, ones(store));
    expect_sound(partition, 1.0);
  }
}

TEST(Partition, TakesAllBodiesOnOneSpotOrLineOrPlane) {
  for (const Vec3& spread : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 1), Vec3(1, 0, 1)}) {
    Store store = test::dealt_scene({.seed = 5, .n_grains = 60, .tools = false}, kWorld);
    for (Vec3& p : store.position) {
      p = Vec3(0.25, 0.5, 0.75) + spread.cwiseProduct(p - Vec3(0.25, 0.5, 0.75));
    }
    Partition partition(kWorld);
    partition.cut(store, ones(store));
    expect_sound(partition, 1.0);
  }
}

TEST(Partition, TakesALatticeWhoseLayersCoincideWithCuts) {
  Store store;
  for (int i = 0; i < 512; ++i) {
    if (i % size_of(kWorld) != rank_of(kWorld)) continue;
    append_grain(store, {.id = i,
                         .position = Vec3(i % 8, (i / 8) % 8, i / 64),
                         .shape = Sphere{0.5},
                         .density = 1.0});
  }
  Partition partition(kWorld);
  partition.cut(store, ones(store));
  expect_sound(partition, 8.0);
}

TEST(Partition, TakesAllBodiesFromOneRank) {
  Store store;
  if (rank_of(kWorld) == size_of(kWorld) - 1) {
    store = test::whole_scene({.seed = 6, .n_grains = 200, .tools = false});
  }
  Partition partition(kWorld);
  partition.cut(store, ones(store));
  expect_sound(partition, 1.0);
}

TEST(Partition, SharesWeightNotNumber) {
  Store store = test::dealt_scene({.seed = 7, .n_grains = 4000, .tools = false}, kWorld);
  std::vector<double> weights = ones(store);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (store.position[k].x() < 0.3) weights[k] = 5.0;
  }
  Partition partition(kWorld);
  partition.cut(store, weights);
  std::vector<double> share(size_of(kWorld));
  const std::vector<int> owners = partition.owners(store);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    share[owners[k]] += weights[k];
  }
  sum_over_ranks(kWorld, share);
  EXPECT_LT(imbalance(kWorld, share[rank_of(kWorld)]), 1.1);
}

TEST(Partition, RebalancesWhenAskedAndNotForNothing) {
  const BalanceOptions options{.bound = 1.2};
  Store store = test::dealt_scene({.seed = 8, .n_grains = 1000, .tools = false}, kWorld);
  Partition partition(kWorld);
  Exchange exchange(kWorld);
  EXPECT_TRUE(partition.rebalance(store, ones(store), options));
  exchange.migrate(store, partition.owners(store));
  EXPECT_FALSE(partition.rebalance(store, ones(store), options));
  EXPECT_LT(partition.measured_imbalance(), 1.1);

  for (Vec3& p : store.position) p = {p.x() * p.x() * p.x(), p.y(), p.z()};
  exchange.migrate(store, partition.owners(store));
  EXPECT_EQ(partition.rebalance(store, ones(store), options), size_of(kWorld) > 1);
  exchange.migrate(store, partition.owners(store));
  EXPECT_FALSE(partition.rebalance(store, ones(store), options));
  EXPECT_LT(partition.measured_imbalance(), 1.1);
}

TEST(Partition, DoesNotCutEveryStepWhereBodiesAreTooFew) {
  EXPECT_TRUE(needs_new_cuts({.bound = 1.1}, 1.2, 1.0));
  EXPECT_FALSE(needs_new_cuts({.bound = 1.1}, 1.05, 1.0));
  EXPECT_FALSE(needs_new_cuts({.bound = 1.1}, 2.0, 2.0));
  EXPECT_TRUE(needs_new_cuts({.bound = 1.1}, 3.0, 2.0));
}

TEST(Partition, NamesTheBodyThatDiverged) {
  Store store;
  append_grain(store, {.id = 42 + rank_of(kWorld), .shape = Sphere{1.0}, .density = 1.0});
  Partition partition(kWorld);
  store.position[0].y() = std::numeric_limits<double>::quiet_NaN();
  try {
    static_cast<void>(partition.owners(store));
    FAIL() << "no exception";
  } catch (const Failure& failure) {
    EXPECT_NE(std::string(failure.what()).find("body " + std::to_string(42 + rank_of(kWorld))),
              std::string::npos)
        << failure.what();
  }
}

}  // namespace
}  // namespace scree::partition_test
