#include "compression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "scree/base/instructions.hpp"
#include "scree/contact/penetration.hpp"
#include "scree/step/recursion.hpp"
#include "solve_error.hpp"

namespace scree {
namespace {

/// How fast a contact's springs are compressed by the velocities of each slot. Arms of balls along
/// the normal have no part in it.
class ClosingSpeeds {
 public:
  ClosingSpeeds(const ContactList& contacts, std::span<const Vec6> velocities)
      : contacts_(contacts),
        blocks_(contacts.blocks()),
        are_of_balls_(contacts.are_of_balls()),
        velocities_(velocities) {
    double most = 0.0;
    for (const Vec6& v : velocities) most = std::max(most, v.head<3>().squaredNorm());
    fastest_ = 2.0 * std::sqrt(most);
  }

  SCREE_INLINE double of(std::size_t i) const {
    if (!is_along_normal(i)) return -normal_speed(contacts_[i], velocities_);
    const ContactBlock& block = blocks_[i / kBlock];
    const Triple normal = block.normal[i % kBlock];
    const double* a = velocities_[static_cast<std::size_t>(block.a[i % kBlock])].data();
    const double* b = velocities_[static_cast<std::size_t>(block.b[i % kBlock])].data();
    return normal.x * (b[0] - a[0]) + normal.y * (b[1] - a[1]) + normal.z * (b[2] - a[2]);
  }
  /// An upper bound of it, without a look at the bodies.
  SCREE_INLINE double bound(std::size_t i) const {
    return is_along_normal(i) ? fastest_ : std::numeric_limits<double>::infinity();
  }

 private:
  SCREE_INLINE bool is_along_normal(std::size_t i) const {
    const ContactBlock& block = blocks_[i / kBlock];
    return are_of_balls_ && ((block.off_normal >> (i % kBlock)) & 1) == 0;
  }

  const ContactList& contacts_;
  std::span<const ContactBlock> blocks_;
  bool are_of_balls_;
  std::span<const Vec6> velocities_;
  double fastest_;  ///< of any two bodies against each other, m/s
};

/// The largest compression of this rank's springs, over the smaller radius of the pair.
Overlaps largest_compression(const State& state, const SolvedContacts& step,
                             std::span<const Vec6> velocities, double dt) {
  Overlaps result;
  const ClosingSpeeds closing(step.contacts, velocities);
  const TermsOfContacts& terms = step.formulated.terms;
  const std::span<const ContactBlock> blocks = step.contacts.blocks();
  for (std::size_t i = 0; i < step.contacts.size(); ++i) {
    if (!terms.is_compliant(i)) continue;
    const double now = terms.rest_gap(i) - blocks[i / kBlock].gap[i % kBlock];
    const double least = result.largest * state.smallest_radius;  // whatever the radii of the two
    if (now + dt * closing.bound(i) <= least) continue;
    const double depth = now + dt * closing.of(i);
    if (depth <= least) continue;
    const Contact contact = step.contacts[i];
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
