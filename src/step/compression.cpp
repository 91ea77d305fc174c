#include "compression.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "scree/contact/penetration.hpp"
#include "scree/step/recursion.hpp"
#include "solve_error.hpp"

namespace scree {
namespace {

/// The largest compression of this rank's springs, over the smaller radius of the pair.
Overlaps largest_compression(const State& state, const SolvedContacts& step,
                             std::span<const Vec6> velocities, double dt) {
  Overlaps result;
  for (std::size_t i = 0; i < step.contacts.size(); ++i) {
    const ContactTerms& terms = step.formulated.terms[i];
    if (!terms.compliant) continue;
    const Contact& contact = step.contacts[i];
    const double depth = terms.rest_gap - contact.gap - dt * normal_speed(contact, velocities);
    if (depth <= result.largest * state.smallest_radius) continue;  // whatever the radii of the two
    const double compression = depth / smaller_radius(state.bodies, contact.a, contact.b);
    if (compression <= result.largest) continue;
    result.largest = compression;
    result.id_a = contact.key.id_a;
    result.id_b = contact.key.id_b;
  }
  return result;
}

}  // namespace

void judge_compression(const State& state, const Setup& setup, MPI_Comm comm, Exchange& exchange,
                       double dt, SolvedContacts& step) {
  if (!setup.laws.any_compliant()) return;
  step.compression.largest = std::numeric_limits<double>::quiet_NaN();
  SolverReport& report = step.impact.report;
  if (!std::isfinite(report.measures.residual)) return;
  const petsc::ConstView end(step.impact.end_velocity.get());
  const std::vector<Vec6> velocities = velocities_of_slots(state.bodies, end.span(), exchange);
  report_largest(largest_compression(state, step, velocities, dt), comm, step.compression);
  if (report.status != Status::converged || step.compression.largest <= setup.max_compression) {
    return;
  }
  step.compression.leaves_unsolved = true;
  report.status = Status::too_soft;
  report.attempts.push_back({report.solver, Status::too_soft});
  report.reason += fmt::format(
      "{}a spring of {} and {} is compressed by {:.2g} of a radius, more than "
      "contact.max_compression",
      report.reason.empty() ? "" : "; ", name_of_body(step.compression.id_a, setup.tools),
      name_of_body(step.compression.id_b, setup.tools), step.compression.largest);
}

}  // namespace scree
