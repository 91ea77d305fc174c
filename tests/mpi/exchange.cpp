// ranks: 1 2 3 4 8
//
// Bodies reach their owners whole, ghosts equal their owners, and nothing else moves.

#include "scree/domain/exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include "scree/base/check.hpp"
#include "scree/domain/numbering.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"
#include "support/scenes.hpp"

namespace scree::exchange_test {
namespace {

const MPI_Comm kWorld = MPI_COMM_WORLD;

/// Values that differ from body to body in every field, known from the id alone.
Store whole_with_marks(const test::SceneSpec& spec) {
  Store store = test::whole_scene(spec);
  for (std::int32_t s = 0; s < store.size(); ++s) {
    const double reach = 0.1 + 1e-3 * (s % 17);
    store.box[s] = {store.position[s] - Vec3::Constant(reach),
                    store.position[s] + Vec3::Constant(reach)};
    store.skin[s] = store.box[s];
    store.inertia[s] = Vec3(1.0 + s, 2.0 + s, 3.0 + s);
  }
  return store;
}

/// This rank's part of the whole: every P-th grain.
Store dealt(const Store& whole) {
  Store mine = whole;
  std::vector<bool> keep(whole.n_owned);
  for (std::size_t k = 0; k < keep.size(); ++k) {
    keep[k] = static_cast<int>(k) % size_of(kWorld) == rank_of(kWorld);
  }
  keep_owned(mine, keep);
  return mine;
}

std::map<std::int64_t, std::int32_t> slots_by_id(const Store& store) {
  std::map<std::int64_t, std::int32_t> slots;
  for (std::int32_t s = 0; s < store.size(); ++s) slots[store.id[s]] = s;
  return slots;
}

template <class T>
bool same_bits(const T& x, const T& y) {
  return std::memcmp(static_cast<const void*>(&x), static_cast<const void*>(&y), sizeof(T)) == 0;
}
/// Padding means nothing.
bool same_bits(const Shape& x, const Shape& y) {
  if (x.number() != y.number()) return false;
  return visit(
      [&y]<class S>(const S& shape) { return std::is_empty_v<S> || same_bits(shape, y.get<S>()); },
      x);
}

/// The names of the fields that travel and differ.
std::string differences(const Store& x, std::int32_t slot_x, const Store& y, std::int32_t slot_y,
                        Sync journey) {
  std::string names;
  for_each_field(x, [&]<class T>(const FieldInfo& info, const std::vector<T>& field_x) {
    if (journey == Sync::ghost && info.sync == Sync::migrate) return;
    for_each_field(y, [&]<class U>(const FieldInfo& other, const std::vector<U>& field_y) {
      if constexpr (std::is_same_v<T, U>) {
        if (info.name != other.name) return;
        if (!same_bits(field_x[slot_x], field_y[slot_y])) {
          names += std::string(info.name) + " ";
        }
      }
    });
  });
  return names;
}

void expect_same_bodies(const Store& mine, const Store& whole, std::int32_t first, std::int32_t end,
                        Sync journey) {
  const auto where = slots_by_id(whole);
  for (std::int32_t s = first; s < end; ++s) {
    const std::int64_t id = mine.id[s];
    const auto found = where.find(id);
    EXPECT_NE(found, where.end());
    if (found == where.end()) continue;
    EXPECT_EQ(differences(mine, s, whole, found->second, journey), "") << "id " << id;
  }
}

TEST(Exchange, MigrationKeepsEveryBodyAndEveryBit) {
  for (const std::uint32_t seed : {1U, 2U}) {
    const Store whole = whole_with_marks({.seed = seed, .n_grains = 500});
    Store mine = dealt(whole);
    Partition partition(kWorld);
    Exchange exchange(kWorld);
    test::send_home(mine, partition, exchange);
    EXPECT_EQ(sum_over_ranks(kWorld, std::int64_t{mine.n_owned}), whole.n_owned);
    EXPECT_EQ(mine.size(), mine.n_tools + mine.n_owned);
    expect_same_bodies(mine, whole, 0, mine.size(), Sync::migrate);
    for (std::int32_t s = mine.first_owned(); s < mine.end_owned(); ++s) {
      EXPECT_TRUE(partition.holds(mine.position[s]));
    }
    EXPECT_TRUE(std::is_sorted(mine.id.begin() + mine.first_owned(), mine.id.end()));
  }
}

TEST(Exchange, AtHomeNothingIsSent) {
  Store mine = dealt(whole_with_marks({.n_grains = 100}));
  Partition partition(kWorld);
  Exchange exchange(kWorld);
  test::send_home(mine, partition, exchange);
  const std::int64_t before = exchange.traffic().messages;
  exchange.migrate(mine, partition.owners(mine));
  EXPECT_EQ(exchange.traffic().messages, before);
}

TEST(Exchange, GhostsAreAllThatMeetTheRegionAndEqualTheirOwners) {
  for (const int n : {1, 3, 40, 600}) {
    const Store whole = whole_with_marks({.seed = 3, .n_grains = n});
    Store mine = dealt(whole);
    Partition partition(kWorld);
    Exchange exchange(kWorld);
    test::send_home(mine, partition, exchange);
    for (int again = 0; again < 2; ++again) exchange.ghosts(mine, partition);

    expect_same_bodies(mine, whole, mine.end_owned(), mine.size(), Sync::ghost);
    std::set<std::int64_t> expected;
    std::vector<int> ranks;
    for (std::int32_t s = whole.first_owned(); s < whole.end_owned(); ++s) {
      partition.ranks_meeting(whole.skin[s], ranks);
      const bool meets = std::count(ranks.begin(), ranks.end(), rank_of(kWorld)) != 0;
      if (meets && !partition.holds(whole.position[s])) expected.insert(whole.id[s]);
    }
    const std::vector<std::int64_t> ghosts(mine.id.begin() + mine.end_owned(), mine.id.end());
    EXPECT_EQ(ghosts, std::vector<std::int64_t>(expected.begin(), expected.end()));
  }
}

TEST(Exchange, UpdateRefreshesGhostsOnly) {
  Store mine = dealt(whole_with_marks({.seed = 4, .n_grains = 400}));
  Partition partition(kWorld);
  Exchange exchange(kWorld);
  test::send_home(mine, partition, exchange);
  exchange.ghosts(mine, partition);
  for (std::int32_t s = 0; s < mine.size(); ++s) {
    const auto id = static_cast<double>(mine.id[s] % 100000);
    mine.velocity[s] = mine.is_ghost(s) ? Vec3(Vec3::Zero()) : Vec3(id, 2.0 * id, 0.5);
  }
  exchange.update(mine.velocity);
  for (std::int32_t s = 0; s < mine.size(); ++s) {
    const auto id = static_cast<double>(mine.id[s] % 100000);
    EXPECT_EQ(mine.velocity[s], Vec3(id, 2.0 * id, 0.5));
  }
}

TEST(Exchange, MessagesAreBoundedByNeighbours) {
  Store mine = dealt(whole_with_marks({.seed = 5, .n_grains = 800, .edge = 2.0}));
  Partition partition(kWorld);
  Exchange exchange(kWorld);
  test::send_home(mine, partition, exchange);
  for (int i = 0; i < 3; ++i) {
    const std::int64_t before = exchange.traffic().messages;
    exchange.ghosts(mine, partition);
    exchange.update(mine.generation);
    const std::size_t sent = exchange.traffic().messages - before;
    EXPECT_LE(sent, 2 * exchange.n_neighbours());
    EXPECT_LT(exchange.n_neighbours(), size_of(kWorld));
  }
}

TEST(Exchange, FollowsBodiesThatMove) {
  Store whole = whole_with_marks({.seed = 6, .n_grains = 300});
  Store mine = dealt(whole);
  Partition partition(kWorld);
  Exchange exchange(kWorld);
  test::send_home(mine, partition, exchange);
  const auto move = [](Store& store) {
    for (std::int32_t s = store.first_owned(); s < store.end_owned(); ++s) {
      store.position[s] += 0.05 * store.velocity[s];
      store.box[s] = {store.position[s] - Vec3::Constant(0.1),
                      store.position[s] + Vec3::Constant(0.1)};
      store.skin[s] = store.box[s];
    }
  };
  for (int step = 0; step < 8; ++step) {
    move(whole);
    move(mine);
    exchange.migrate(mine, partition.owners(mine));
    exchange.ghosts(mine, partition);
    EXPECT_EQ(sum_over_ranks(kWorld, std::int64_t{mine.n_owned}), whole.n_owned);
    expect_same_bodies(mine, whole, mine.first_owned(), mine.end_owned(), Sync::migrate);
    expect_same_bodies(mine, whole, mine.end_owned(), mine.size(), Sync::ghost);
  }
}

/// Ghosts that are kept are their owners bit by bit, in one message to each neighbour.
TEST(Exchange, GhostsThatAreKeptMoveWithTheirOwners) {
  Store whole = whole_with_marks({.seed = 8, .n_grains = 300});
  Store mine = dealt(whole);
  Partition partition(kWorld);
  Exchange exchange(kWorld);
  test::send_home(mine, partition, exchange);
  exchange.ghosts(mine, partition);
  const auto move = [](Store& store) {
    for (std::int32_t s = store.first_owned(); s < store.end_owned(); ++s) {
      const Vec3 by = 0.05 * store.velocity[s];
      store.position[s] += by;
      store.box[s] = store.box[s].shifted(by);
      store.velocity[s] *= 0.5;
      store.free_velocity[s] = -store.velocity[s];
      store.angular_velocity[s] += by;
      store.orientation[s] = rotation_by(by) * store.orientation[s];
      store.shape[s] = Sphere{1.01 * bounding_radius(store, s)};
      store.mass[s] *= 1.03;
      store.inertia[s] *= 1.05;
    }
  };
  for (int step = 0; step < 4; ++step) {
    move(whole);
    move(mine);
    const std::int64_t before = exchange.traffic().messages;
    exchange.refresh(mine, Sync::growth);
    EXPECT_LE(exchange.traffic().messages - before,
              static_cast<std::int64_t>(exchange.n_neighbours()));
    expect_same_bodies(mine, whole, mine.first_owned(), mine.size(), Sync::ghost);
  }
}

TEST(Exchange, RefusesTwins) {
  Store store;
  append_grain(store, {.id = 1, .shape = Sphere{1.0}, .density = 1.0});
  append_grain(store, {.id = 1, .shape = Sphere{1.0}, .density = 1.0});
  Exchange exchange(kWorld);
  const std::vector<int> stay(2, rank_of(kWorld));
  EXPECT_THROW(exchange.migrate(store, stay), Failure);
}

TEST(Numbering, RowsAreConsecutiveAndGhostsHaveTheirOwners) {
  for (const int n : {0, 1, 2, 300}) {
    Store mine = dealt(whole_with_marks({.seed = 7, .n_grains = n}));
    Partition partition(kWorld);
    Exchange exchange(kWorld);
    test::send_home(mine, partition, exchange);
    exchange.ghosts(mine, partition);
    const Numbering numbers = number(mine, exchange);
    EXPECT_EQ(numbers.n_bodies_global, n);
    EXPECT_EQ(numbers.n_rows, mine.n_owned);
    const auto first = mine.n_tools;
    for (std::int32_t s = 0; s < first; ++s) EXPECT_EQ(numbers.row[s], -1);

    // The row of each id, told by the owners.
    std::vector<double> id_of_row(n);
    for (std::int32_t s = first; s < mine.end_owned(); ++s) {
      EXPECT_EQ(numbers.row[s], numbers.first_row + (s - first));
      id_of_row[numbers.row[s]] += static_cast<double>(mine.id[s]);
    }
    sum_over_ranks(kWorld, id_of_row);
    for (std::int32_t s = first; s < mine.size(); ++s) {
      EXPECT_EQ(id_of_row[numbers.row[s]], static_cast<double>(mine.id[s]));
    }
  }
}

}  // namespace
}  // namespace scree::exchange_test
