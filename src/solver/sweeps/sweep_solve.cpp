#include <algorithm>
#include <cmath>
#include <string>

#include "scree/base/parallel.hpp"
#include "scree/problem/measure.hpp"
#include "scree/solver/solve_progress.hpp"
#include "scree/solver/sweeps/sweep.hpp"

namespace scree {
namespace {

constexpr std::int64_t kDefaultSweeps = 10000;
constexpr std::int64_t kLongestInterval = 25;  ///< sweeps between two measurements
constexpr double kHarm = 2.0;  ///< residual over the best at which over-relaxation is given up

/// Sweeps until the next measurement: few at first, a tenth of those done later; one where the rules of
/// merit compare sweep with sweep.
std::int64_t interval(std::int64_t done, bool each) {
  if (each) return 1;
  return std::clamp<std::int64_t>(done / 10, 4, kLongestInterval);
}

/// sum |lambda_i^T u~_i|: eq. 106 of paper 002.
double merit_of(const ContactProblem& problem, const std::vector<double>& impulse,
                const std::vector<double>& velocity) {
  double sum = 0.0;
  for_each_cone(problem.cones, [&](const auto& cone, const ConePlace& at) {
    const auto u = shifted(cone, rows_of(cone, &velocity[at.row]), at);
    sum += std::abs(rows_of(cone, &impulse[at.row]).dot(u));
  });
  return sum_over_ranks(problem.comm, sum);
}

void iterate(const ContactProblem& problem, ContactRule& rule, bool each, SolveProgress& progress,
             Vec lambda) {
  const std::unique_ptr<Sweep> sweep = make_sweep(problem, rule);
  std::vector<double> impulse = to_rows(lambda);
  std::vector<double> velocity;
  const petsc::Vector present = petsc::duplicate(lambda);
  const petsc::Vector u = petsc::duplicate(lambda);
  std::string remark;
  sweep->start(impulse);
  std::int64_t done = 0;
  while (!progress.done()) {
    const std::int64_t until = std::min(done + interval(done, each), progress.limit());
    for (; done < until; ++done) sweep->run(impulse);
    sweep->start(impulse);  // afresh, so that rounding does not add up
    sweep->velocities(velocity);
    to_vec(impulse, present.get());
    to_vec(velocity, u.get());
    progress.check(done, present.get(), u.get(), merit_of(problem, impulse, velocity));
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
  if (!progress.done()) iterate(problem, rule, stop.merit.any(), progress, lambda);
  progress.report().solver = method;
  return progress.finish(lambda);
}

}  // namespace scree
