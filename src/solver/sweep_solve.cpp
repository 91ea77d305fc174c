#include <algorithm>
#include <string>

#include "scree/solver/solve_progress.hpp"
#include "sweep.hpp"
#include "sweep_common.hpp"

namespace scree {
namespace {

constexpr std::int64_t kDefaultSweeps = 10000;
constexpr std::int64_t kLongestInterval = 25;  ///< sweeps between two measurements
constexpr double kHarm = 2.0;  ///< residual over the best at which over-relaxation is given up

/// Sweeps until the next measurement: few at first, a tenth of those done later.
std::int64_t interval(std::int64_t done) {
  return std::clamp<std::int64_t>(done / 10, 4, kLongestInterval);
}

void iterate(const ContactProblem& problem, ContactRule& rule, SolveProgress& progress,
             Vec lambda) {
  const std::unique_ptr<Sweep> sweep = make_sweep(problem, rule);
  std::vector<double> impulse = padded(lambda, problem.cones);
  std::vector<double> velocity;
  const petsc::Vector present = petsc::duplicate(lambda);
  const petsc::Vector u = petsc::duplicate(lambda);
  std::string remark;
  sweep->start(impulse);
  std::int64_t done = 0;
  while (!progress.done()) {
    const std::int64_t until = std::min(done + interval(done), progress.limit());
    for (; done < until; ++done) sweep->run(impulse);
    sweep->start(impulse);  // afresh, so that rounding does not add up
    sweep->velocities(velocity);
    unpad(impulse, problem.cones, present.get());
    unpad(velocity, problem.cones, u.get());
    progress.check(done, present.get(), u.get());
    if (rule.relaxation() > 1.0 && done > 2 * kLongestInterval &&
        progress.residual() > kHarm * progress.best_residual()) {
      rule.set_relaxation(1.0);
      remark = "; over-relaxation given up after " + std::to_string(done) + " sweeps";
    }
  }
  progress.report().reason += remark;
  progress.report().products += done;
}

}  // namespace

SolverReport solve_by_sweeps(std::string_view method, ContactRule& rule,
                             const ContactProblem& problem, const StopOptions& stop, Vec lambda) {
  SolveProgress progress(problem, stop, kDefaultSweeps, lambda);
  if (!progress.done()) iterate(problem, rule, progress, lambda);
  progress.report().solver = method;
  return progress.finish(lambda);
}

}  // namespace scree
