#include "solver/progress/infeasibility.hpp"

#include <fmt/format.h>

namespace scree {

bool hides_error(const MeasuredIterate& best, const Goal& goal) {
  return best.measures.residual <= goal.residual && !best.solved;
}

std::string hidden_error(const MeasuredIterate& best) {
  const Measures& m = best.measures;
  return best.contact_error > 0.0
             ? fmt::format(
                   "the residual, {:.3g}, is small, but the error of one contact in "
                   "its own units is {:.3g}",
                   m.residual, best.contact_error)
             : fmt::format(
                   "the residual, {:.3g}, is small beside large impulses: {:.0f} % "
                   "of the error without impulses remains, up to {:.3g} m/s",
                   m.residual, 100.0 * m.remaining, m.velocity_error);
}

bool gains_nothing(const MeasuredIterate& best) {
  constexpr double kNothingGained = 0.5;
  return best.measures.remaining >= kNothingGained;
}

}  // namespace scree
