#include "manifold.hpp"

#include "step/formulate_and_solve.hpp"

namespace scree {

SolvedContacts ManifoldConstraints::solve(const StepWork& work, Detected found) const {
  SolvedContacts step;
  step.contacts = std::move(found.contacts);
  formulate_and_solve(work,
                      {.velocity_error = kErrorPerStep * radius_per_step(work),
                       .max_seconds = seconds_of_part(work.state, work.machinery.solver)},
                      step);
  return step;
}

}  // namespace scree
