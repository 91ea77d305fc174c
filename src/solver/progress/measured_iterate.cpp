#include "solver/progress/measured_iterate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace scree {

std::string Bound::in_words(const Measures& m) const {
  return measure == &Measures::residual
             ? fmt::format("residual {:.3g}", m.residual)
             : fmt::format("velocity error {:.3g} m/s", m.velocity_error);
}

Bound next_bound(const Measures& m, const Goal& goal) {
  const bool by_velocity = m.residual <= goal.residual && m.velocity_error > goal.velocity_error;
  return by_velocity ? Bound{&Measures::velocity_error, goal.velocity_error}
                     : Bound{&Measures::residual, goal.residual};
}

double shortfall(const MeasuredIterate& iterate, const Goal& goal) {
  const double missed = next_bound(iterate.measures, goal).over(iterate.measures);
  return missed <= 1.0 && iterate.contact_error > 0.0 ? iterate.contact_error / goal.contact_error
                                                      : missed;
}

bool is_nearer(const MeasuredIterate& a, const MeasuredIterate& b, const Goal& goal) {
  if (a.contact_error > 0.0 && b.contact_error > 0.0) return a.contact_error < b.contact_error;
  const auto order = [&goal](const Measures& m) {
    return std::tuple(std::max(m.residual, goal.residual),
                      std::max(m.velocity_error, goal.velocity_error), m.residual);
  };
  return order(a.measures) < order(b.measures);
}

}  // namespace scree
