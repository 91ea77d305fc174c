#include "kernel_solver.hpp"

#include <limits>

#include "iterate_sweeps.hpp"
#include "scree/base/log_stage.hpp"
#include "scree/problem/measure.hpp"

namespace scree {
namespace {

/// Sweeps by the kernels. A measurement costs about six of them, nine where changes get another
/// base: they come where they are expected to end the solve.
class KernelSweeps {
 public:
  /// @p progress has measured the start @p lambda.
  KernelSweeps(PairProblem& problem, PairIteration& iteration, const PairMethod& method, Vec lambda,
               SolveProgress& progress)
      : problem_(problem), iteration_(iteration), expected_(progress.shortfall()) {
    const petsc::View impulses(lambda);
    problem_.relax_rules(method.step * method.relaxation);
    iteration_.start(problem.rows(), problem.ranks(), method, impulses.span(),
                     progress.measurer().body_velocities());
  }

  const Interval& interval() const { return kExpectedInterval; }
  std::int64_t run(std::int64_t n) {
    const LogStage stage(Stage::sweeps);
    return iterate_as_expected(n, expected_, [this] {
      iteration_.run(1);
      return iteration_.moved();
    });
  }
  /// Writes the impulses to @p lambda, where they started. @returns null: their velocities are for
  /// the measurement to compute, from which judge() takes them
  Vec check(Vec lambda) {
    const petsc::View change(lambda);
    iteration_.take_impulses();
    return nullptr;
  }
  /// None: it would cost as much as sweeps.
  double merit(const ContactProblem& /*problem*/, Vec /*lambda*/) const {
    return std::numeric_limits<double>::quiet_NaN();
  }
  void judge(SolveProgress& progress, std::int64_t done) {
    const PairIteration::Precision precision = iteration_.precision();
    iteration_.go_on(progress.measurer().body_velocities());
    iteration_.judge(progress.residual(), done);
    // rounding moves contacts, too
    expected_.measure(progress.shortfall(), iteration_.precision() == precision);
  }
  double factor() const { return iteration_.factor(); }
  void drop_factor() {
    iteration_.drop_factor();
    problem_.relax_rules(1.0);
  }

 private:
  PairProblem& problem_;
  PairIteration& iteration_;
  ExpectedShortfall expected_;
};

}  // namespace

SolverReport KernelSolver::solve(const ContactProblem& problem, const Stop& stop,
                                 const KernelMethod& method, Vec lambda) {
  SolveProgress progress(problem, stop, method.limit, lambda);
  progress.report().solver = method.name;
  if (!progress.done()) {
    KernelSweeps sweeps(pairs_, iteration_, method.pairs, lambda, progress);
    iterate_sweeps(problem, sweeps, progress, lambda);
  }
  return progress.finish(lambda);
}

}  // namespace scree
