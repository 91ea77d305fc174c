#include "scree/solver/interior_point/kleinert.hpp"

#include <fmt/format.h>

#include "ipm_units.hpp"
#include "kleinert_path.hpp"
#include "scree/config/declaration.hpp"
#include "solver/solve_progress.hpp"

namespace scree {

void KleinertOptions::declare(Declaration& d) {
  InteriorPointOptions::declare(d);
  d.enumeration("beta", beta,
                {.help = "how far each step aims along the central path: cautious or aggressive"});
  d.real(
      "compliance", compliance,
      {.help = "regularisation 1/(dt^2 k) by the stiffness k of a contact; only in the matrix, so "
               "that the method stalls where it is felt",
       .unit = "1/kg",
       .min = 0.0});
  d.real("poisson_ratio", poisson_ratio,
         {.help = "Poisson's ratio of an elastic rod, which makes the compliance along tangents "
                  "larger than that along normals",
          .unit = "1",
          .min = 0.0,
          .max = 0.5});
  d.real("start", start,
         {.help = "friction coefficient times normal impulse at the start, of every contact",
          .unit = "N s",
          .above = 0.0});
  d.integer(
      "spectrum", spectrum,
      {.help =
           "Krylov steps at most by which the extreme eigenvalues of each preconditioned matrix "
           "are found, for the report of `solve`, which has none where they do not converge; 0: "
           "none are computed",
       .min = 0});
}

namespace {

constexpr std::int64_t kKleinertIterationLimit = 100;  ///< the paper's
constexpr double kKleinertShortStep = 1e-4;

class Kleinert final : public Solver {
 public:
  explicit Kleinert(const KleinertOptions& options) : options_(options) {}

  SolverReport solve(const ContactProblem& problem, const Stop& stop, Vec lambda) override {
    SolveProgress progress(problem, stop, kKleinertIterationLimit, lambda);
    progress.report().solver = "kleinert";
    if (!progress.done()) follow(problem, progress);
    return progress.finish(lambda);
  }

 private:
  /// In SI, as the paper: neither velocities nor masses are scaled.
  void follow(const ContactProblem& problem, SolveProgress& progress) {
    ipm::Units units = ipm::make_units(problem, progress.measurer().rho());
    units.velocity = units.inverse_mass = 1.0;
    std::int64_t iteration = 0;
    kleinert::Path path(problem, units, ipm::to_units(units, problem.r.get()), options_,
                        [&] { return progress.check_time(iteration); });
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    std::int64_t feasible_from = -1;
    for (;; ++iteration) {
      ipm::from_units(units, path.at().x, lambda.get());
      SolverReport& report = progress.report();
      report.inner_iterations = report.products = path.linear().krylov();
      report.factorisations = path.linear().factorisations();
      if (feasible_from < 0 && path.at().feasible()) feasible_from = iteration;
      if (progress.check(iteration, lambda.get())) break;
      const double theta = path.step();
      report.history.back().eigenvalues = path.eigenvalues();
      if (progress.done()) break;  // within a linear solve
      if (path.is_broken()) {
        progress.stop_with(Status::breakdown, "no linear solver could solve a step");
        break;
      }
      if (theta < kKleinertShortStep) {
        progress.stop_with(
            Status::stagnated,
            fmt::format("the steps vanish at residual {:.3g}{}", progress.best_residual(),
                        path.at().feasible()
                            ? ""
                            : fmt::format(", infeasible by s = {:.3g}", path.at().s)));
        break;
      }
    }
    std::string& reason = progress.report().reason;
    if (feasible_from >= 0) reason += fmt::format("; feasible from iteration {}", feasible_from);
    if (path.linear().unfinished() > 0) {
      reason += fmt::format("; {} linear solves ran out of iterations", path.linear().unfinished());
    }
    if (!path.linear().note().empty()) reason += "; " + path.linear().note();
  }

  KleinertOptions options_;
};

}  // namespace

std::unique_ptr<Solver> make_kleinert(const KleinertOptions& options) {
  return std::make_unique<Kleinert>(options);
}

}  // namespace scree
