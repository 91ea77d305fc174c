#include "through_friction_lcp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "scree/base/parallel.hpp"
#include "scree/problem/friction_lcp.hpp"
#include "scree/solver/sweeps/pgs.hpp"
#include "solver/solve_progress.hpp"

namespace scree {
namespace {

constexpr double kSharper = 1e-2;  ///< a tolerance of the LCP over the one before
constexpr double kLeastSeconds = 1e-6;
constexpr double kSharpest = 1e-14;  ///< below which rounding decides

/// Collective.
bool has_half_lines_alone(const ContactProblem& problem) {
  const bool others = std::ranges::any_of(problem.cones.batches, [](const ConeBatch& batch) {
    return batch.type != cones::kTypeOf<cones::HalfLine>;
  });
  return max_over_ranks(problem.comm, others ? 1 : 0) == 0;
}

/// The status that an LCP without a solution gives the contacts. Its matrix is not copositive plus
/// where there is friction, so that a ray does not say that there is no solution.
Status status_of(const SolverReport& lcp) {
  const bool says_nothing = lcp.status == Status::converged || lcp.status == Status::infeasible;
  return says_nothing ? Status::stagnated : lcp.status;
}

class ThroughFrictionLcp final : public Solver {
 public:
  ThroughFrictionLcp(std::string_view name, std::unique_ptr<Solver> method,
                     std::unique_ptr<Solver> without_friction, std::int64_t sweeps)
      : name_(name),
        method_(std::move(method)),
        without_friction_(std::move(without_friction)),
        sweeps_(sweeps) {}

  SolverReport solve(const ContactProblem& problem, const Stop& stop, Vec lambda) override {
    if (has_half_lines_alone(problem)) return without_friction_->solve(problem, stop, lambda);
    SolveProgress progress(problem, stop, std::numeric_limits<std::int64_t>::max(), lambda);
    progress.report().solver = name_;
    if (!progress.done()) {
      sweep(problem, stop, lambda, progress);
      if (!progress.done()) sharpen(problem, stop, lambda, progress);
    }
    return progress.finish(lambda);
  }

 private:
  void sweep(const ContactProblem& problem, Stop stop, Vec lambda, SolveProgress& progress) const {
    if (sweeps_ == 0) return;
    stop.max_iterations = sweeps_;
    stop.merit = {};
    progress.report().products += make_pgs({})->solve(problem, stop, lambda).products;
    progress.check(0, lambda);
  }

  /// Solves the LCP to one tolerance after another.
  void sharpen(const ContactProblem& problem, Stop stop, Vec lambda, SolveProgress& progress) {
    const FrictionLcp friction(problem);
    const petsc::Vector x = friction.from_contacts(lambda);
    const double seconds = stop.max_seconds;
    // slacks are no velocities
    stop.goal.velocity_error = stop.goal.contact_error = std::numeric_limits<double>::infinity();
    SolverReport& all = progress.report();
    while (!progress.done()) {
      if (seconds > 0.0) {
        // the same on all ranks, or some would stop alone; never 0, which is no limit
        const double spent = max_over_ranks(problem.comm, all.history.back().seconds);
        stop.max_seconds = std::max(seconds - spent, kLeastSeconds);
      }
      const SolverReport one = method_->solve(friction.lcp(), stop, x.get());
      all.inner_iterations += one.inner_iterations;
      all.factorisations += one.factorisations;
      all.products += one.products;
      friction.to_contacts(x.get(), lambda);
      if (progress.check(all.iterations + one.iterations, lambda)) return;
      stop.goal.residual *= kSharper;
      if (one.merit_rule) {
        progress.stop_by(*one.merit_rule, one.reason);
      } else if (one.status != Status::converged || stop.goal.residual < kSharpest) {
        progress.stop_with(status_of(one), fmt::format("friction LCP: {}", one.reason));
      }
    }
  }

  std::string name_;
  std::unique_ptr<Solver> method_;
  std::unique_ptr<Solver> without_friction_;
  std::int64_t sweeps_;
};

}  // namespace

std::unique_ptr<Solver> through_friction_lcp(std::string_view name, std::unique_ptr<Solver> method,
                                             std::unique_ptr<Solver> without_friction,
                                             std::int64_t sweeps) {
  return std::make_unique<ThroughFrictionLcp>(name, std::move(method), std::move(without_friction),
                                              sweeps);
}

}  // namespace scree
