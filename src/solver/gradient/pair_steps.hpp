#pragma once

/// Gradient steps over half lines of pairs (half_line_pairs.hpp) on all ranks, as iterate_sweeps()
/// takes them.

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "half_line_pairs.hpp"
#include "scree/base/running_sum.hpp"
#include "scree/problem/body_exchange.hpp"
#include "solver/solve_progress.hpp"
#include "solver/sweeps/iterate_sweeps.hpp"

namespace scree {

class PairSteps {
 public:
  /// Collective. From @p lambda, which @p progress has measured. @p blocks: those of @p problem; @p
  /// restarts: as of GradientPace.
  /// @pre are_half_line_pairs(problem)
  PairSteps(const ContactProblem& problem, const PairBlocks& blocks, bool restarts, Vec lambda,
            SolveProgress& progress);

  const Interval& interval() const { return kExpectedInterval; }
  /// Collective.
  std::int64_t run(std::int64_t n);
  /// Writes the impulses to @p lambda. @returns null: their velocities are for the measurement to
  /// compute
  Vec check(Vec lambda) const;
  double merit(const ContactProblem& /*problem*/, Vec /*lambda*/) const {
    return std::numeric_limits<double>::quiet_NaN();
  }
  void judge(SolveProgress& progress, std::int64_t /*done*/) {
    expected_.measure(progress.shortfall(), true);
  }
  double factor() const { return 1.0; }
  void drop_factor() {}

 private:
  double step();
  void sum_shared_bodies();

  HalfLinePairs pairs_;
  GradientPace pace_;
  ExpectedShortfall expected_;
  std::optional<BodyExchange> exchange_;  ///< of shared bodies; none on one rank
  std::vector<std::size_t> shared_;
  std::vector<double> values_;  ///< of shared bodies
  RunningSums<3> sums_;
};

}  // namespace scree
