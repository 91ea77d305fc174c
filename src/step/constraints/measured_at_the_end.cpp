#include "measured_at_the_end.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "scree/step/end_overlap.hpp"
#include "step/formulate_and_solve.hpp"

namespace scree {
namespace {

/// Collective.
void measure_overlap(const StepWork& work, SolvedContacts& step) {
  step.overlap.largest = std::numeric_limits<double>::quiet_NaN();
  if (!std::isfinite(step.impact.report.measures.residual)) return;
  const TrialOverlaps end = find_trial_overlaps(work, step);
  if (!end.found.fault.empty()) return;
  report_largest(largest_overlap(work.state.bodies, end.found.contacts), work.machinery.comm,
                 step.overlap);
}

}  // namespace

SolvedContacts MeasuredAtTheEnd::solve(const StepWork& work, ContactList contacts) const {
  SolvedContacts step;
  // the overlaps at the end are to be those of the constraints, not of the solve
  const double error = std::min(kErrorPerStep, 0.5 * overlap_tolerance_);
  formulate_and_solve(work,
                      {.velocity_error = error * radius_per_step(work),
                       .max_seconds = seconds_of_part(work.state, work.machinery.solver)},
                      std::move(contacts), step);
  measure_overlap(work, step);
  step.constraint_figures.add(kOverlapColumn.name, step.overlap.largest);
  return step;
}

}  // namespace scree
