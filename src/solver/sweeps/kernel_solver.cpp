#include "kernel_solver.hpp"

#include <cmath>
#include <limits>

#include "iterate_sweeps.hpp"
#include "scree/base/log_stage.hpp"
#include "scree/problem/measure.hpp"

namespace scree {
namespace {

/// Sweeps by the kernels. A measurement costs about six of them, nine where changes get another
/// base: the next one comes where the residual should be below the tolerance (or the velocity error
/// below its bound), as it falls with what sweeps move, and at the latest where there are twice as
/// many sweeps.
class KernelSweeps {
 public:
  /// @p progress has measured the start @p lambda.
  KernelSweeps(PairProblem& problem, PairIteration& iteration, const PairMethod& method, Vec lambda,
               SolveProgress& progress)
      : problem_(problem), iteration_(iteration), shortfall_(progress.shortfall()) {
    const petsc::View impulses(lambda);
    problem_.relax_rules(method.step * method.relaxation);
    iteration_.start(problem.rows(), problem.ranks(), method, impulses.span(),
                     progress.measurer().body_velocities());
  }

  const Interval& interval() const { return kInterval; }
  std::int64_t run(std::int64_t n) {
    const LogStage stage(Stage::sweeps);
    std::int64_t done = 0;
    for (; done < n && (done < kLeast || expected_shortfall() > 1.0); ++done) {
      iteration_.run(1);
      if (!(moved_ > 0.0)) moved_ = iteration_.moved();
    }
    return done;
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
    shortfall_ = progress.shortfall();
    moved_ = iteration_.precision() == precision ? iteration_.moved() : 0.0;
  }
  double factor() const { return iteration_.factor(); }
  void drop_factor() {
    iteration_.drop_factor();
    problem_.relax_rules(1.0);
  }

 private:
  /// The result that a measurement should have now.
  double expected_shortfall() const {
    if (!(moved_ > 0.0)) return shortfall_;  // moves whose squares are too small for a number
    return shortfall_ * std::sqrt(iteration_.moved() / moved_);
  }

  static constexpr std::int64_t kLeast = 3;
  static constexpr Interval kInterval{25, 1, 100};
  PairProblem& problem_;
  PairIteration& iteration_;
  double shortfall_;  ///< at the last measurement
  /// Move of the sweep before the last measurement; of the one after it where there is none or its
  /// precision was another: rounding moves contacts, too.
  double moved_ = 0.0;
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
