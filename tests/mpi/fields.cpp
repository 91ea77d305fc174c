// ranks: 2 4
/// Fields do not depend on how grains and contacts are dealt over the ranks, to rounding.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scree/base/parallel.hpp"
#include "scree/fields/sums.hpp"
#include "support/scenes.hpp"

namespace scree {
namespace {

/// The sums over those grains and contacts of a scene, the same on every rank, that are dealt to @p rank of @p ranks.
FieldSums dealt(int rank, int ranks) {
  FieldGrid grid;
  grid.axes = {GridAxis{0.0, 1.0, 6, 1.0}, GridAxis{-0.3, 1.3, 1, 0.0},
               GridAxis{-0.3, 1.3, 9, 0.0}};
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
  std::vector<double> together = dealt(rank_of(comm), size_of(comm)).values();
  sum_over_ranks(comm, together);
  const std::vector<double> alone = dealt(0, 1).values();
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

}  // namespace
}  // namespace scree
