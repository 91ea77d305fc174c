#pragma once

/// The loop of the methods that iterate over contacts: some iterations, then a measurement, which
/// ends the solve or says how to go on.

#include <algorithm>
#include <cmath>
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

/// Between measurements that cost several iterations: by how many times impulses should miss what
/// they are to gain next (SolveProgress::shortfall), as that falls with the root of what iterations
/// move.
class ExpectedShortfall {
 public:
  explicit ExpectedShortfall(double measured) : measured_(measured) {}
  /// Takes what an iteration has moved.
  void take(double moved) {
    last_ = moved;
    if (!(reference_ > 0.0)) reference_ = moved;
  }
  /// Takes the @p shortfall that was measured. @p goes_on: whether the next moves compare with the
  /// last one.
  void measure(double shortfall, bool goes_on) {
    measured_ = shortfall;
    reference_ = goes_on ? last_ : 0.0;
  }
  double value() const {
    if (!(reference_ > 0.0)) return measured_;  // moves whose squares are too small for a number
    return measured_ * std::sqrt(last_ / reference_);
  }

 private:
  double measured_;
  double last_ = 0.0;
  /// Move of the iteration before the last measurement, or of the first after it that compares.
  double reference_ = 0.0;
};

/// Between measurements where these follow ExpectedShortfall: at the latest where there are twice
/// as many iterations.
inline constexpr Interval kExpectedInterval{25, 1, 100};
/// Iterations before the first expectation.
inline constexpr std::int64_t kLeastIterations = 3;

/// Iterates @p n times by `iterate()`, which returns what it moved, or until the shortfall should
/// be made up. @returns how often
template <class Iterate>
std::int64_t iterate_as_expected(std::int64_t n, ExpectedShortfall& expected,
                                 const Iterate& iterate) {
  std::int64_t done = 0;
  for (; done < n && (done < kLeastIterations || expected.value() > 1.0); ++done) {
    expected.take(iterate());
  }
  return done;
}

/// @p sweeps iterates (RuledSweeps, KernelSweeps, PairSteps). @p lambda: the start, then the
/// present impulses.
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
