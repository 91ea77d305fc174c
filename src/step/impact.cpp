#include "scree/step/impact.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace scree {

ImpactResult resolve(const ContactProblem& problem, SolverDriver& solver, petsc::Vector guess) {
  ImpactResult result;
  result.impulse = std::move(guess);
  result.report = solver.solve(problem, result.impulse.get());
  result.end_velocity = end_velocity(problem, result.impulse.get());
  PetscReal size = 0.0;  // a sum carries NaN to every rank; a maximum may lose it
  SCREE_PETSC(VecNorm(result.end_velocity.get(), NORM_1, &size));
  if (!std::isfinite(size)) {
    throw Failure(
        fmt::format("{}: the velocities after the solve by {} ({}) are not finite; the "
                    "bodies were left as they were",
                    problem.origin, result.report.solver, to_string(result.report.status)));
  }
  return result;
}

}  // namespace scree
