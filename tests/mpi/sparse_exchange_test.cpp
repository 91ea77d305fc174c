// ranks: 1 2 3 4 8
#include "scree/base/sparse_exchange.hpp"

#include <gtest/gtest.h>

#include "scree/base/parallel.hpp"

namespace scree::sparse_exchange_test {
namespace {

// Rank p writes p*100 + q to every rank q with (p + q + round) % 3 == 0, in many rounds in a row,
// so that a fast rank's next round meets a slow rank's present one.
TEST(SparseExchange, DeliversEachMessageToItsRankAndRound) {
  const int size = size_of(MPI_COMM_WORLD);
  const int self = rank_of(MPI_COMM_WORLD);
  const auto writes = [](int from, int to, int round) { return (from + to + round) % 3 == 0; };
  for (int round = 0; round < 200; ++round) {
    RankBytes outgoing;
    for (int q = 0; q < size; ++q) {
      if (writes(self, q, round)) outgoing[q].resize(self * 100 + q + round);
    }
    const RankBytes incoming = sparse_exchange(MPI_COMM_WORLD, outgoing);
    for (int p = 0; p < size; ++p) {
      ASSERT_EQ(incoming.contains(p), writes(p, self, round)) << "round " << round << " from " << p;
      if (incoming.contains(p)) {
        EXPECT_EQ(incoming.at(p).size(), p * 100 + self + round);
      }
    }
  }
}

}  // namespace
}  // namespace scree::sparse_exchange_test
