// ranks: 1 2 3 4 7
//
// While no body leaves its skin, owners, ghosts and pair list stay, and where few do the list is
// mended: what the ranks find together is what trying all pairs finds, in each step, though grains
// go to and fro over cuts and sides of the regions.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "scree/contact/narrowphase.hpp"
#include "scree/contact/neighbour_list.hpp"
#include "step/listing.hpp"
#include "support/gaps.hpp"
#include "support/scenes.hpp"

namespace scree::kept_lists_test {
namespace {

const MPI_Comm kWorld = MPI_COMM_WORLD;

constexpr double kRadius = 0.05;
constexpr double kSkin = 0.1 * kRadius;
constexpr double kSpacing = 2.0 * kRadius;
/// Largest way of a grain from where it rests.
constexpr double kSway = 0.9 * kSkin;
constexpr double kDt = 1e-4;

/// Grains in a lattice of the cell's period, so that many rest on cuts, each off its site by a
/// little.
std::vector<Body> bed(int n_side) {
  test::Uniform random(5);
  std::vector<Body> grains;
  for (int i = 0; i < n_side * n_side * n_side; ++i) {
    const Vec3 site(i % n_side + 0.5, i / n_side % n_side + 0.5, i / (n_side * n_side) + 0.5);
    grains.push_back({.id = 3 * i,
                      .position = kSpacing * site + random.vector(-kSkin, kSkin),
                      .shape = Sphere{kRadius},
                      .density = 1.0});
  }
  return grains;
}

/// The bodies of all ranks, or of one.
Store store_of(const std::vector<Body>& grains, int rank, int size) {
  Store store;
  for (std::size_t i = 0; i < grains.size(); ++i) {
    if (static_cast<int>(i) % size == rank) append_grain(store, grains[i]);
  }
  return store;
}

/// Places the owned grains off where they rest, along a direction of each, one in @p every so far
/// that it leaves its skin now and then, or the @p cell; 0: none.
void sway(Store& store, const std::vector<Body>& grains, const PeriodicCell& cell, int step,
          std::int64_t every) {
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    const auto i = static_cast<double>(store.id[slot]);
    const Vec3 along = Vec3(std::sin(i), std::sin(2.1 * i), std::sin(3.7 * i)).normalized();
    const double part = std::sin(0.3 * step) * std::sin(i + 0.05 * step);
    const std::int64_t number = store.id[slot] / 3;
    const double far = every > 0 && number % every == every / 2 ? 5.0 : 0.5;
    store.position[slot] =
        grains[static_cast<std::size_t>(number)].position + far * kSway * part * along;
    store.velocity[slot] = store.free_velocity[slot] = kRadius / 10.0 * along;
    store.wraps[slot].setZero();
  }
  wrap_into(store, cell);
}

class Ranks {
 public:
  explicit Ranks(const std::vector<Body>& grains)
      : store(store_of(grains, rank_of(kWorld), size_of(kWorld))) {
    test::send_home(store, partition, exchange);
  }

  test::Gaps contacts(const Reach& reach) {
    update_boxes(store, reach);
    const std::optional<NewSkins> left = neighbours.left(store, kSkin, reach.dt);
    const int here = static_cast<int>(listing_after(left, store, reach.cell, exchange, partition));
    const auto listing = static_cast<Listing>(max_over_ranks(kWorld, here));
    if (listing == Listing::anew) {
      neighbours.clear();
      exchange.migrate(store, partition.owners(store));
      neighbours.begin(store, kSkin, reach.dt);
      exchange.ghosts(store, partition, reach.cell);
    } else if (listing == Listing::mended) {
      renew(*left, store, reach.cell, exchange, neighbours);
    } else {
      exchange.refresh(store, Sync::motion, reach.cell);
    }
    neighbours.serve(store, [this](const Vec3& point) { return partition.holds(point); });
    const std::vector<Pair> pairs = neighbours.meeting(store);
    return test::gather(kWorld, narrowphase(store, pairs, reach));
  }

  /// Grains of all ranks that stand outside their owners' regions.
  std::int64_t n_outside() const {
    std::int64_t n = 0;
    for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
      if (!partition.holds(store.position[slot])) ++n;
    }
    return sum_over_ranks(kWorld, n);
  }

  Store store;
  Partition partition{kWorld};
  Exchange exchange{kWorld};
  NeighbourList neighbours;
};

/// 40 steps, each of which finds all that there is; @p list is the one that they leave.
void expect_all_found(int n_side, const PeriodicCell& cell, std::int64_t every,
                      NeighbourList& list) {
  const std::vector<Body> grains = bed(n_side);
  const Reach reach{.dt = kDt, .smallest_radius = kRadius, .cell = cell};
  Store whole = store_of(grains, 0, 1);
  Ranks ranks(grains);
  std::int64_t n_outside = 0;
  for (int step = 0; step < 40; ++step) {
    sway(whole, grains, cell, step, every);
    sway(ranks.store, grains, cell, step, every);
    const test::Gaps found = ranks.contacts(reach);
    ASSERT_GT(found.size(), grains.size());
    test::expect_all(found, whole, reach, fmt::format("step {}", step));
    n_outside += ranks.n_outside();
  }
  if (every == 0 && size_of(kWorld) > 1) {
    EXPECT_GT(n_outside, 0);
  }
  list = ranks.neighbours;
}

void expect_kept(int n_side, const PeriodicCell& cell) {
  NeighbourList list;
  expect_all_found(n_side, cell, 0, list);
  EXPECT_EQ(list.n_listings(), 1);
}

/// Grains that leave their skins seldom have all pairs listed anew: only where another rank, or the
/// other side of the cell, is to know them.
void expect_mended(const PeriodicCell& cell) {
  NeighbourList list;
  expect_all_found(6, cell, 23, list);
  const std::int64_t n_mendings = sum_over_ranks(kWorld, list.n_mendings());
  EXPECT_GT(n_mendings, 0);
  EXPECT_LT(list.n_listings(), 40);
}

PeriodicCell cell_of(std::vector<double> x, std::vector<double> y, std::vector<double> z) {
  return PeriodicOptions{std::move(x), std::move(y), std::move(z)}.cell();
}

TEST(KeptLists, OfABedThatSways) {
  expect_kept(5, {});
}

TEST(KeptLists, InPeriodicCells) {
  const std::vector<double> side{0.0, 5.0 * kSpacing};
  expect_kept(5, cell_of(side, {}, {}));
  expect_kept(5, cell_of(side, side, side));
}

TEST(KeptLists, AreMendedWhereFewGrainsLeave) {
  expect_mended({});
}

TEST(KeptLists, AreMendedInPeriodicCells) {
  const std::vector<double> side{0.0, 6.0 * kSpacing};
  expect_mended(cell_of(side, {}, {}));
  expect_mended(cell_of(side, side, side));
}

/// Has the first quarter of the grains leave their skins, on the ranks that own them.
void push_many(Store& store) {
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    if (store.id[slot] / 3 < 54) store.position[slot].z() += 2.0 * kSkin;
  }
}

/// Grains that leave their skins on some ranks have pairs listed anew on all.
TEST(KeptLists, EndOnAllRanksTogether) {
  const std::vector<Body> grains = bed(6);
  const Reach reach{.dt = kDt, .smallest_radius = kRadius};
  Ranks ranks(grains);
  for (int k = 0; k < 3; ++k) ranks.contacts(reach);
  EXPECT_EQ(ranks.neighbours.n_listings(), 1);
  push_many(ranks.store);
  ranks.contacts(reach);
  EXPECT_EQ(ranks.neighbours.n_listings(), 2);
  EXPECT_EQ(ranks.n_outside(), 0);
}

/// A list that has served for fewer than three steps is followed by twenty without skins, on all
/// ranks alike.
TEST(KeptLists, AreGivenUpOnAllRanksTogether) {
  const std::vector<Body> grains = bed(6);
  const Reach reach{.dt = kDt, .smallest_radius = kRadius};
  Ranks ranks(grains);
  for (int step = 0; step <= 21; ++step) {
    ranks.contacts(reach);
    EXPECT_EQ(ranks.neighbours.n_listings(), step + 1);
    EXPECT_EQ(ranks.neighbours.may_last(), step == 0 || step == 21) << step;
    push_many(ranks.store);
  }
}

}  // namespace
}  // namespace scree::kept_lists_test
