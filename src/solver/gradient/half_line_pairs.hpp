#pragma once

/// Gradient steps over half lines of pairs of rigid bodies (base/gradient_pace.hpp), in
/// body space: with N = B B^T + R (problem/body_rows.hpp) one pass over the pairs reads what the
/// bodies had before all of them, takes the projected step of each pair in the metric of its block
/// of N (pair_lcp.hpp), and sums what it gives the bodies. Not collective: what ranks tell each
/// other of the bodies they share is the caller's.
///
/// | symbol | meaning                              |
/// | ---    | ---                                  |
/// | x, y   | impulses, and what a step starts from |
/// | w      | B^T of impulses, of each body those of the columns that count: three where bodies move in a plane, or do not turn |
///
/// Pairs stand by their numbers of rows, in packs of kPairLanes (pair_pack.hpp).

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pair_pack.hpp"
#include "scree/base/gradient_pace.hpp"
#include "scree/problem/body_rows.hpp"
#include "scree/problem/pair_blocks.hpp"
#include "solver/sweeps/wide_vector.hpp"

namespace scree {

/// Whether all cones of all ranks are half lines of two rigid bodies at most, given as block rows.
/// Collective.
bool are_half_line_pairs(const ContactProblem& problem);

class HalfLinePairs {
 public:
  /// Collective. @p blocks: those of @p problem. @pre are_half_line_pairs(problem)
  HalfLinePairs(const ContactProblem& problem, const PairBlocks& blocks);

  /// Starts from @p lambda. bodies() is then what this rank's rows give them.
  void start(std::span<const double> lambda);
  /// One step of length @p t from y = x + @p momentum (x - x_before). bodies() is then what this
  /// rank's rows give them for the new x.
  /// @returns its sums over this rank's rows; of the curvature the part of R alone
  GradientSums step(double t, double momentum);
  /// What the bodies of this rank add to the curvature. @pre bodies() has the sums over all ranks.
  double curvature_of_bodies() const;
  /// Has y follow x by @p momentum, as the next step will. @pre likewise
  void move_on(double momentum);

  /// w for x, stride() numbers each local body, of which those behind the columns are zero.
  std::span<double> bodies() { return std::span(after_).first(stride() * n_bodies_); }
  std::size_t stride() const { return stride_of(columns_.size()); }
  /// Writes x in the rows' order.
  void impulses(std::span<double> lambda) const;

 private:
  /// Packs of pairs of as many rows each.
  struct Group {
    std::size_t size;
    std::size_t n_packs;
    std::size_t first;     ///< place of its first number among those of rows
    std::size_t block;     ///< among those of blocks
    std::size_t of_pairs;  ///< among bodies_
  };
  /// A pair of the problem: its first row, and its block of N.
  struct Pair {
    std::size_t row;
    const double* block;
  };

  void add_group(const ContactProblem& problem, const BodyRows& rows, std::size_t size,
                 std::span<const Pair> pairs);
  void put(const ContactProblem& problem, const BodyRows& rows, const Group& group,
           std::size_t place, const Pair& pair);
  PairPack pack_of(const Group& group, std::size_t pack);
  template <std::size_t kColumns>
  SCREE_INLINE void step_by(double t, double momentum, PairSums& sums);
  template <std::size_t kColumns, class Size>
  SCREE_INLINE void step_group(Size n, const Group& group, double t, double momentum,
                               PairSums& sums);

  std::vector<int> columns_;
  std::size_t n_bodies_ = 0;
  std::size_t n_owned_ = 0;
  std::vector<Group> groups_;
  std::vector<std::int32_t> bodies_;  ///< of each pack
  WideVector<double> d_;              ///< blocks of N
  WideVector<double> factors_;
  // Of each row of a pack:
  std::vector<std::int32_t> row_;  ///< its place among this rank's; -1 where there is none
  WideVector<double> velocity_;    ///< r
  WideVector<double> softness_;    ///< R
  WideVector<double> of_bodies_;   ///< B of both bodies
  WideVector<double> x_;
  WideVector<double> x_before_;
  WideVector<double> next_;
  // Of each body, and of a spare one behind:
  WideVector<double> from_;    ///< w for y
  WideVector<double> after_;   ///< w for x
  WideVector<double> before_;  ///< w for x_before
};

}  // namespace scree
