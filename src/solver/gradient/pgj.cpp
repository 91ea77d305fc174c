#include "scree/solver/gradient/pgj.hpp"

#include <algorithm>

#include "gradient.hpp"
#include "scree/config/declaration.hpp"
#include "solver/solve_progress.hpp"

namespace scree {

void PgjOptions::declare(Declaration& d) {
  d.real("relaxation", relaxation,
         {.help = "step as a share of the largest stable one, which is estimated",
          .max = 1.0,
          .above = 0.0});
}

namespace {

constexpr std::int64_t kPgjSteps = 5000;
constexpr std::int64_t kPgjInterval = 20;
constexpr int kPgjPowerSteps = 30;
/// Growth of the residual over the best that shows a step too long.
constexpr double kGrowth = 1.5;

class Pgj final : public Solver {
 public:
  explicit Pgj(const PgjOptions& options) : options_(options) {}

  SolverReport solve(const ContactProblem& problem, const Stop& stop, Vec lambda) override {
    SolveProgress progress(problem, stop, kPgjSteps, lambda);
    if (!progress.done()) iterate(problem, progress, lambda);
    progress.report().solver = "pgj";
    return progress.finish(lambda);
  }

 private:
  void iterate(const ContactProblem& problem, SolveProgress& progress, Vec lambda) const {
    Measurer& measurer = progress.measurer();
    ProjectedStep step(problem, measurer.rho());
    const double largest = largest_eigenvalue(problem, step, measurer.product(), kPgjPowerSteps);
    double t = largest > 0.0 ? options_.relaxation * 2.0 / largest : 1.0;
    const petsc::Vector present = petsc::duplicate(lambda);
    const petsc::Vector velocity = petsc::duplicate(lambda);
    Rows impulse = to_rows(lambda);
    std::vector<double> shift;
    SCREE_PETSC(VecCopy(lambda, present.get()));
    for (std::int64_t done = 0;; ++done) {
      measurer.product().contact_velocity(present.get(), velocity.get());
      const bool measure = done > 0 && (done % kPgjInterval == 0 || done == progress.limit());
      if (measure && progress.check(done, present.get(), velocity.get())) return;
      if (measure && progress.residual() > kGrowth * progress.best_residual()) {
        t *= 0.5;
        SCREE_PETSC(VecCopy(progress.best(), present.get()));
        impulse = to_rows(present.get());
        measurer.product().contact_velocity(present.get(), velocity.get());
      }
      const Rows u = to_rows(velocity.get());
      step.shifts(u, shift);
      step.take(impulse, u, shift, t, impulse);
      to_vec(impulse, present.get());
    }
  }

  PgjOptions options_;
};

}  // namespace

std::unique_ptr<Solver> make_pgj(const PgjOptions& options) {
  return std::make_unique<Pgj>(options);
}

}  // namespace scree
