#include "manifold.hpp"

#include <utility>

#include "step/formulate_and_solve.hpp"

namespace scree {

SolvedContacts ManifoldConstraints::solve(const StepWork& work, ContactList contacts) const {
  SolvedContacts step;
  formulate_and_solve(work,
                      {.velocity_error = kErrorPerStep * radius_per_step(work),
                       .max_seconds = seconds_of_part(work.state, work.machinery.solver)},
                      std::move(contacts), step);
  return step;
}

}  // namespace scree
