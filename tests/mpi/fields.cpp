// ranks: 2 4
/// Fields do not depend on how grains and contacts are dealt over the ranks, to rounding.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scree/base/parallel.hpp"
#include "scree/fields/sums.hpp"
#include "support/scenes.hpp"

namespace scree::fields_test {
namespace {

/// The sums over those grains and contacts of a scene, the same on every rank, that are dealt to @p
/// rank of @p ranks.
FieldSums dealt(int rank, int ranks) {
  FieldGrid grid;
  grid.axes = {GridAxis{0.0, 1.0, 6, 1.0}, GridAxis{-0.3, 1.3, 1, 0.0},
               GridAxis{-0.3, 1.3, 90, 0.0}};  // three blocks, of which the last is short
  FieldSums sums(grid, 0.07);
  test::Uniform uniform(11);
  for (int i = 0; i < 500; ++i) {
    const GrainState grain{uniform.vector(0.0, 1.0), uniform.vector(-1.0, 1.0), uniform(1.0, 9.0),
                           uniform(1.0, 2.0)};
    const GrainForce contact{uniform.vector(-1e3, 1e3), grain.position + uniform.vector(-0.1, 0.1),
                             grain.position};
    // Grains in layers, contacts in turn: as uneven as partitions are.
    if (std::min(static_cast<int>(grain.position.z() * ranks), ranks - 1) == rank) {
      sums.add(grain, 0.5);
    }
    if (i % ranks != rank) continue;
    sums.add(contact, 0.5);
    if (i % 3 == 0) sums.add_wall(contact, 0.5);
  }
  return sums;
}

TEST(Fields, AreTheSameHoweverGrainsAndContactsAreDealt) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  const std::vector<double> together =
      sums_on_first_rank(comm, dealt(rank_of(comm), size_of(comm)));
  if (rank_of(comm) != 0) {
    EXPECT_TRUE(together.empty());
    return;
  }
  const std::vector<double> alone = sums_on_first_rank(MPI_COMM_SELF, dealt(0, 1));
  ASSERT_EQ(together.size(), alone.size());
  for (int k = 0; k < CellSums::kNumbers; ++k) {
    double largest = 0.0;
    double difference = 0.0;
    for (std::size_t i = k; i < alone.size(); i += CellSums::kNumbers) {
      largest = std::max(largest, std::abs(alone[i]));
      difference = std::max(difference, std::abs(together[i] - alone[i]));
    }
    EXPECT_GT(largest, 0.0) << k;
    EXPECT_LE(difference, 1e-12 * largest) << k;
  }
}

TEST(Fields, AreKeptWhereARankHasGrains) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  const int rank = rank_of(comm);
  FieldGrid grid;
  grid.axes = {GridAxis{0.0, 1.0, 10, 0.0}, GridAxis{0.0, 1.0, 10, 0.0},
               GridAxis{0.0, 1.0, 100, 0.0}};
  FieldSums sums(grid, 0.01);
  // Rank 0 has no grain, each other one at its own height, and block 0 is reached by none.
  const auto height = [&](int of) { return (of + 0.5) / (size_of(comm) + 0.5); };
  if (rank > 0) sums.add(GrainState{{0.5, 0.5, height(rank)}, Vec3::Zero(), 2.0, 1.0}, 1.0);
  std::int64_t blocks = 0;
  for (std::int64_t k = 0; k < sums.n_blocks(); ++k) blocks += sums.block(k).empty() ? 0 : 1;
  EXPECT_EQ(sums.n_blocks(), 40);
  // The function is seven widths high, eight layers of 100 cells at most, that is four blocks and a
  // part at each end.
  EXPECT_LE(blocks, rank > 0 ? 5 : 0);
  EXPECT_EQ(blocks > 0, rank > 0);
  const std::vector<double> all = sums_on_first_rank(comm, sums);
  sums.clear();
  EXPECT_TRUE(std::ranges::all_of(sums_on_first_rank(comm, sums), [](double x) { return x == 0; }));
  if (rank != 0) return;
  double mass = 0.0;
  for (std::size_t i = 0; i < all.size(); i += CellSums::kNumbers) mass += all[i];
  EXPECT_NEAR(mass, 2.0 * (size_of(comm) - 1), 1e-13 * size_of(comm));
}

}  // namespace
}  // namespace scree::fields_test
