// ranks: 1 2 3 4
//
// Reductions of several numbers at a time, and those that are under way, give what single ones do.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "scree/base/fused_reduction.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/running_sum.hpp"

namespace scree::reductions_test {
namespace {

const MPI_Comm kWorld = MPI_COMM_WORLD;

/// The k-th number of a rank: of either sign, and the largest not always on the last rank.
double number(int rank, int k) {
  return std::sin(3.0 * rank + k) * (k + 1);
}

TEST(FusedReduction, sums_and_maxima_are_those_of_single_reductions) {
  const int rank = rank_of(kWorld);
  for (const int n_sums : {0, 1, 5}) {
    for (const int n_maxima : {0, 1, 3}) {
      std::vector<double> sums;
      std::vector<double> maxima;
      for (int k = 0; k < n_sums; ++k) sums.push_back(std::floor(100.0 * number(rank, k)));
      for (int k = 0; k < n_maxima; ++k) maxima.push_back(number(rank, 10 + k));
      const std::vector<double> own_sums = sums;
      const std::vector<double> own_maxima = maxima;
      sum_and_max_over_ranks(kWorld, sums, maxima);
      // whole numbers: their sums are exact in any order
      for (int k = 0; k < n_sums; ++k) EXPECT_EQ(sums[k], sum_over_ranks(kWorld, own_sums[k]));
      for (int k = 0; k < n_maxima; ++k) {
        EXPECT_EQ(maxima[k], max_over_ranks(kWorld, own_maxima[k]));
      }
    }
  }
}

TEST(FusedReduction, a_sum_with_one_that_is_no_number_is_none) {
  const bool is_last = rank_of(kWorld) == size_of(kWorld) - 1;
  std::array<double, 2> sums{is_last ? std::nan("") : 1.0, 1.0};
  std::array<double, 1> maxima{is_last ? 0.0 : std::numeric_limits<double>::infinity()};
  sum_and_max_over_ranks(kWorld, sums, maxima);
  EXPECT_TRUE(std::isnan(sums[0]));
  EXPECT_EQ(sums[1], size_of(kWorld));
  EXPECT_EQ(maxima[0], size_of(kWorld) == 1 ? 0.0 : std::numeric_limits<double>::infinity());
}

TEST(Sum, of_several_counts_are_those_of_single_ones) {
  const std::int64_t rank = rank_of(kWorld);
  std::array<std::int64_t, 3> counts{rank, -2 * rank, 5};
  const std::array<std::int64_t, 3> own = counts;
  sum_over_ranks(kWorld, counts);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    EXPECT_EQ(counts[k], sum_over_ranks(kWorld, own[k]));
  }
}

TEST(RunningSums, other_operations_may_come_between_their_begin_and_end) {
  RunningSums<2> sums(kWorld);
  for (int k = 0; k < 3; ++k) {
    sums.begin({10.0 * rank_of(kWorld) + k, -1.0});
    const int between = sum_over_ranks(kWorld, 1);
    const int n = size_of(kWorld);
    EXPECT_EQ(between, n);
    const auto [first, second] = sums.end();
    EXPECT_EQ(first, 5.0 * n * (n - 1) + k * n);
    EXPECT_EQ(second, -n);
  }
}

}  // namespace
}  // namespace scree::reductions_test
