#include "progress_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/checks/overlap.hpp"
#include "scree/config/declaration.hpp"

namespace scree {
namespace {

/// Contacts of the first step show how the bodies were placed.
void warn_of_overlap(Progress& progress, const StepRecord& first) {
  const double overlap = std::max(first.penetration, first.projected.overlap);
  if (overlap <= kNotableOverlap) return;
  progress.warning(fmt::format(
      "bodies overlap at the start, by up to {:.1f} % of a radius: {}; `scree check` names the "
      "deepest pair",
      100.0 * overlap,
      first.projected.shift > 0.0 ? "rigid ones were moved out of it"
                                  : "they part at contact.recovery_speed"));
}

/// Share of the smaller radius beyond which the compression of a spring is told: laws of contact
/// are those of small deformations, and forces depend on the stiffness.
constexpr double kNotableCompression = 0.05;

}  // namespace

void ProgressLines::warn_of_compression(const StepRecord& record) {
  if (warned_of_compression_ || !(record.compression > kNotableCompression)) return;
  warned_of_compression_ = true;
  run_.progress.warning(fmt::format(
      "step {}: a spring is compressed by {:.2g} of a radius: contacts are too soft for their "
      "loads (contact.law, contact.reference_force, materials' young_modulus); the column "
      "compression of "
      "steps.csv tells on",
      record.step, record.compression));
}

void ProgressLines::warn_of_loss(const ObservedStep& part) {
  const double lost = part.result.impact.lost_by_length;
  if (warned_of_loss_ || lost == 0.0) return;
  warned_of_loss_ = true;
  run_.progress.warning(fmt::format(
      "step {}: impacts lose {:.3g} J, since bodies cross the room between contacts within the "
      "shortest part that a step is cut to for it, {:.3g} s; take a shorter time.dt; the column "
      "impact_lost_in_gaps of steps.csv tells on",
      part.result.clock.step, lost, part.result.clock.dt));
}

void ProgressLines::declare(Declaration& d, Options& options) {
  d.real("log_interval", options.log_interval,
         {.help = "wall-clock time from one line of the log to the next; 0: every step",
          .unit = "s",
          .min = 0.0});
}

void ProgressLines::after_part(const ObservedStep& part) {
  Progress& progress = run_.progress;
  const StepClock& clock = part.result.clock;
  const SolverReport& report = part.result.impact.report;
  if (clock.step == 1 && clock.begins_step()) warn_of_overlap(progress, part.record);
  warn_of_compression(part.record);
  if (clock.halvings() > 0 && !run_.config().time.is_auto) {
    progress.detail(fmt::format("step {}: cut, {} s to {} s", clock.step, clock.time, clock.end));
  }
  warn_of_loss(part);
  if (report.status != Status::converged) {
    progress.note(
        fmt::format("step {}: {}{}", clock.step, report.reason, worst_in_words(part.record)));
  }
  progress.step(part.record);
}

}  // namespace scree
