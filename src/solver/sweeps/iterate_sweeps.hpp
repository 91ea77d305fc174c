#pragma once

/// The loop of the methods that iterate over contacts: some iterations, then a measurement, which
/// ends the solve or says how to go on.

#include <algorithm>
#include <cstdint>
#include <string>

#include "solver/solve_progress.hpp"

namespace scree {

/// Iterations between two measurements: a share of those done, between bounds.
struct Interval {
  std::int64_t least;
  std::int64_t share;  ///< one over it
  std::int64_t most;

  std::int64_t after(std::int64_t done) const { return std::clamp(done / share, least, most); }
};

/// @p sweeps iterates (RuledSweeps, KernelSweeps). @p lambda: the start, then the present impulses.
template <class Sweeps>
void iterate_sweeps(const ContactProblem& problem, Sweeps& sweeps, SolveProgress& progress,
                    Vec lambda) {
  constexpr std::int64_t kEarly = 50;  // sweeps that say nothing of harm
  constexpr double kHarm = 2.0;  // residual over the best at which over-relaxation is given up
  std::string remark;
  std::int64_t done = 0;
  while (!progress.done()) {
    const std::int64_t n = std::min(sweeps.interval().after(done), progress.limit() - done);
    done += sweeps.run(n);
    const Vec u = sweeps.check(lambda);
    progress.check(done, lambda, u, sweeps.merit(problem, lambda));
    if (progress.done()) break;
    sweeps.judge(progress, done);
    if (sweeps.factor() > 1.0 && done > kEarly &&
        progress.residual() > kHarm * progress.best_residual()) {
      sweeps.drop_factor();
      remark = "; over-relaxation given up after " + std::to_string(done) + " sweeps";
    }
  }
  progress.report().reason += remark;
  progress.report().products += done;
}

}  // namespace scree
