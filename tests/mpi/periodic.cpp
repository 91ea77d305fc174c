// ranks: 1 2 3 4
//
// Contacts in a periodic cell: what the ranks find together is what trying all pairs of grains in
// all images finds, each once; and a contact keeps its name when its grains go through a side of
// the cell.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "support/gaps.hpp"
#include "support/scenes.hpp"

namespace scree::periodic_test {
namespace {

const MPI_Comm kWorld = MPI_COMM_WORLD;

PeriodicCell cell_of(std::vector<double> x, std::vector<double> y, std::vector<double> z) {
  return PeriodicOptions{std::move(x), std::move(y), std::move(z)}.cell();
}

struct Ranks {
  explicit Ranks(const test::SceneSpec& spec) : mine(test::dealt_scene(spec, kWorld)) {}

  test::Gaps contacts(const Reach& reach) {
    wrap_into(mine, reach.cell);
    test::send_home(mine, partition, exchange);
    test::bring_ghosts(mine, reach, partition, exchange);
    return test::gather(kWorld, test::own_contacts(mine, reach, partition));
  }

  Store mine;
  Partition partition{kWorld};
  Exchange exchange{kWorld};
};

void expect_all_found_once(const test::SceneSpec& spec, const PeriodicCell& cell) {
  const Reach reach{.dt = 1e-3, .smallest_radius = spec.smallest, .cell = cell};
  Store whole = test::whole_scene(spec);
  Ranks ranks(spec);
  for (int step = 0; step < 4; ++step) {
    wrap_into(whole, cell);
    const test::Gaps found = ranks.contacts(reach);
    test::expect_all(found, whole, reach, fmt::format("seed {} step {}", spec.seed, step));
    for (Store* store : {&whole, &ranks.mine}) {
      for (std::int32_t s = store->first_owned(); s < store->end_owned(); ++s) {
        store->position[s] += 0.1 * store->velocity[s];
      }
    }
  }
}

test::SceneSpec scene(std::uint32_t seed) {
  return {.seed = seed, .n_grains = 250, .largest = 0.08, .tools = false};
}

TEST(PeriodicDetection, OneTwoAndThreeDirections) {
  expect_all_found_once(scene(1), cell_of({0.0, 1.0}, {}, {}));
  expect_all_found_once(scene(2), cell_of({}, {0.0, 1.0}, {0.0, 1.0}));
  expect_all_found_once(scene(3), cell_of({0.0, 1.0}, {0.0, 1.0}, {0.0, 1.0}));
}

TEST(PeriodicDetection, NarrowCell) {
  test::SceneSpec narrow = scene(4);
  narrow.n_grains = 60;
  expect_all_found_once(narrow, cell_of({0.2, 0.55}, {0.0, 0.33}, {}));
}

TEST(PeriodicDetection, FewGrainsAndRanksLeftEmpty) {
  for (const int n : {1, 2, 5}) {
    test::SceneSpec few = scene(5);
    few.n_grains = n;
    few.smallest = 0.15;
    few.largest = 0.2;
    expect_all_found_once(few, cell_of({0.0, 0.9}, {0.0, 0.9}, {0.0, 0.9}));
  }
}

TEST(PeriodicDetection, NamesOfContactsStayWhenGrainsGoThroughASide) {
  const PeriodicCell cell = cell_of({0.0, 1.0}, {0.0, 1.0}, {});
  const Reach reach{.dt = 1e-3, .smallest_radius = 0.02, .cell = cell};
  Ranks ranks(scene(6));
  const test::Gaps start = ranks.contacts(reach);
  EXPECT_GT(start.size(), 50U);
  for (int step = 0; step < 10; ++step) {
    for (std::int32_t s = ranks.mine.first_owned(); s < ranks.mine.end_owned(); ++s) {
      ranks.mine.position[s] += Vec3(0.23, -0.31, 0.0);
    }
    const test::Gaps now = ranks.contacts(reach);
    ASSERT_EQ(now.size(), start.size());
    for (const auto& [name, gap] : start) ASSERT_TRUE(now.contains(name)) << "step " << step;
  }
}

}  // namespace
}  // namespace scree::periodic_test
