// ranks: 1 2 3 4
//
// Contacts in a periodic cell: what the ranks find together is what trying all pairs of grains in
// all images finds, each once; and a contact keeps its name when its grains go through a side of
// the cell.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "scree/contact/broadphase.hpp"
#include "scree/contact/narrowphase.hpp"
#include "support/scenes.hpp"

namespace scree::periodic_test {
namespace {

const MPI_Comm kWorld = MPI_COMM_WORLD;

/// Names of contacts (ids, image, feature), and their gaps.
using Gaps = std::map<std::array<std::int64_t, 4>, double>;

PeriodicCell cell_of(std::vector<double> x, std::vector<double> y, std::vector<double> z) {
  return PeriodicOptions{std::move(x), std::move(y), std::move(z)}.cell();
}

/// All ranks' contacts, on every rank; none may be there twice.
Gaps gather(const std::vector<Contact>& contacts) {
  std::vector<double> mine;
  for (const Contact& c : contacts) {
    for (const std::int64_t n : {c.key.id_a, c.key.id_b}) {
      mine.push_back(static_cast<double>(n >> 31));
      mine.push_back(static_cast<double>(n & 0x7fffffff));
    }
    mine.insert(mine.end(),
                {static_cast<double>(c.key.image), static_cast<double>(c.key.feature), c.gap});
  }
  const int n = static_cast<int>(mine.size());
  std::vector<int> counts(size_of(kWorld));
  SCREE_MPI(MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, kWorld));
  std::vector<int> first(counts.size() + 1, 0);
  for (std::size_t p = 0; p < counts.size(); ++p) first[p + 1] = first[p] + counts[p];
  std::vector<double> all(first.back());
  SCREE_MPI(MPI_Allgatherv(mine.data(), n, MPI_DOUBLE, all.data(), counts.data(), first.data(),
                           MPI_DOUBLE, kWorld));
  Gaps gaps;
  const auto whole = [](double high, double low) {
    return (static_cast<std::int64_t>(high) << 31) | static_cast<std::int64_t>(low);
  };
  for (std::size_t i = 0; i < all.size(); i += 7) {
    const std::array<std::int64_t, 4> name{whole(all[i], all[i + 1]), whole(all[i + 2], all[i + 3]),
                                           static_cast<std::int64_t>(all[i + 4]),
                                           static_cast<std::int64_t>(all[i + 5])};
    EXPECT_TRUE(gaps.emplace(name, all[i + 6]).second) << "found twice";
  }
  return gaps;
}

/// By trying all pairs in all images. @pre margins are not capped, so that they alone decide.
Gaps by_trying_all(const Store& whole, const Reach& reach) {
  Gaps gaps;
  for (std::int32_t i = whole.first_owned(); i < whole.end_owned(); ++i) {
    for (std::int32_t j = whole.first_owned(); j < whole.end_owned(); ++j) {
      if (whole.id[i] >= whole.id[j]) continue;
      const int held = whole.fixed[i] & whole.fixed[j] & (kFixX | kFixY | kFixZ);
      if (held == (kFixX | kFixY | kFixZ)) continue;
      for (int k = 0; k < 125; ++k) {
        Vec3i image(k % 5 - 2, k / 5 % 5 - 2, k / 25 - 2);
        bool there = true;
        for (int axis = 0; axis < 3; ++axis) {
          there = there && (reach.cell.repeats(axis) || image[axis] == 0);
        }
        if (!there) continue;
        const double gap =
            (whole.position[i] - whole.position[j] - reach.cell.shift(image)).norm() -
            bounding_radius(whole, i) - bounding_radius(whole, j);
        if (gap >= margin(whole, i, reach) + margin(whole, j, reach)) continue;
        gaps[{whole.id[i], whole.id[j], image_code(image + whole.wraps[i] - whole.wraps[j]), 0}] =
            gap;
      }
    }
  }
  return gaps;
}

struct Ranks {
  explicit Ranks(const test::SceneSpec& spec) : mine(test::dealt_scene(spec, kWorld)) {}

  Gaps contacts(const Reach& reach) {
    wrap_into(mine, reach.cell);
    test::send_home(mine, partition, exchange);
    update_boxes(mine, reach);
    exchange.ghosts(mine, partition, reach.cell);
    return gather(narrowphase(mine, broadphase(mine), reach,
                              [this](const Vec3& point) { return partition.holds(point); }));
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
    const Gaps found = ranks.contacts(reach);
    const Gaps expected = by_trying_all(whole, reach);
    ASSERT_EQ(found.size(), expected.size()) << "seed " << spec.seed << " step " << step;
    for (const auto& [name, gap] : expected) {
      const auto match = found.find(name);
      ASSERT_NE(match, found.end()) << name[0] << " and " << name[1] << " missed";
      EXPECT_NEAR(match->second, gap, 1e-14);
    }
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
  const Gaps start = ranks.contacts(reach);
  EXPECT_GT(start.size(), 50U);
  for (int step = 0; step < 10; ++step) {
    for (std::int32_t s = ranks.mine.first_owned(); s < ranks.mine.end_owned(); ++s) {
      ranks.mine.position[s] += Vec3(0.23, -0.31, 0.0);
    }
    const Gaps now = ranks.contacts(reach);
    ASSERT_EQ(now.size(), start.size());
    for (const auto& [name, gap] : start) ASSERT_TRUE(now.contains(name)) << "step " << step;
  }
}

}  // namespace
}  // namespace scree::periodic_test
