#include "solver/progress/iterate_measurer.hpp"

#include <cmath>

namespace scree {

MeasuredIterate IterateMeasurer::measure(Vec lambda, Vec u, const Goal& goal) {
  MeasuredIterate result;
  result.afresh = u == nullptr;
  result.measures = result.afresh ? measurer_.measure(lambda) : measurer_.measure(lambda, u);
  result.solved = solved(result.measures, goal);
  if (result.solved && std::isfinite(goal.contact_error)) {
    if (!contact_errors_) contact_errors_.emplace(problem_);
    result.contact_error = contact_errors_->largest(lambda);
    result.solved = result.contact_error <= goal.contact_error;
  }
  return result;
}

}  // namespace scree
