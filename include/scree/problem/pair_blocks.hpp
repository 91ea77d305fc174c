#pragma once

/// Half lines between the same bodies, as blocks of N. Those of a pair may be nearly the same, as
/// the rows that ReLCP finds one after another: their block is then nearly singular, and a method
/// that treats rows one by one needs many times the iterations of one that treats the block as one.
/// Rows of a pair are those that stand beside each other, as contacts do, whose keys begin with
/// their bodies.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/problem/contact_problem.hpp"

namespace scree {

/// The blocks of two and more rows of this rank.
struct PairBlocks {
  /// Rows of a block at most. A pair that has more has several where most of its rows are nearly
  /// the ones before them, and else none, as clusters of balls: with blocks of 16 gradients took
  /// two thirds of the iterations on ellipsoids of 13 balls, each 2.5 times as long, and stagnated
  /// on those of 17. Without blocks for pairs of ReLCP with more rows, which it has in jams,
  /// ellipsoids under a lid took twice the time.
  static constexpr std::size_t kMost = 8;

  std::vector<std::int32_t> first{0};  ///< block k has the rows [first[k], first[k + 1]) of row
  std::vector<std::int32_t> row;       ///< places among this rank's rows
  std::vector<double> values;          ///< N of its rows, row-major, block after block

  std::size_t count() const { return first.size() - 1; }
  std::span<const std::int32_t> rows_of(std::size_t k) const {
    return std::span(row).subspan(first[k], first[k + 1] - first[k]);
  }
};

/// Not collective. @pre has_body_rows(problem).
PairBlocks pair_blocks_of(const ContactProblem& problem);

/// Whether so many rows of all ranks are nearly those of their neighbours that methods which treat
/// rows one by one are slow. @p blocks: those of @p problem. Collective.
bool repeats_rows(const ContactProblem& problem, const PairBlocks& blocks);

}  // namespace scree
