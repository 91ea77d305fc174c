#include "scree/step/contact_loop.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "formulate_and_solve.hpp"
#include "relcp.hpp"
#include "scree/base/log_stage.hpp"
#include "scree/contact/ball_twins.hpp"
#include "scree/contact/closing.hpp"
#include "scree/contact/narrowphase.hpp"

namespace scree {
namespace {

/// Part of the smallest radius by which a contact of a solved step may miss its law.
constexpr double kErrorPerStep = 0.1;
/// Part of the smallest radius that a box may move before pairs are listed anew.
constexpr double kSkin = 0.1;

/// Keeps the point with the least gap of each pair, which bears the pair's whole stiffness. @pre
/// sorted by key
void keep_deepest(std::vector<Contact>& contacts) {
  std::size_t kept = 0;
  for (const Contact& contact : contacts) {
    if (kept > 0 && of_one_pair(contacts[kept - 1].key, contact.key)) {
      if (contact.gap < contacts[kept - 1].gap) contacts[kept - 1] = contact;
    } else {
      contacts[kept++] = contact;
    }
    contacts[kept - 1].sharing = 1.0;
  }
  contacts.resize(kept);
}

/// Reports what constraints that look no further leave: the overlap of the bodies' own shapes.
/// Collective.
void report_overlap(const StepWork& work, const std::vector<Pair>& pairs, SolvedContacts& step) {
  step.recursions.overlap = std::numeric_limits<double>::quiet_NaN();
  if (!std::isfinite(step.impact.report.measures.residual)) return;
  const TrialOverlaps end = find_trial_overlaps(work, pairs, step);
  if (!end.found.fault.empty()) return;
  report_largest(largest_overlap(work.state.bodies, end.found.contacts), work.machinery.comm,
                 step.recursions);
}

}  // namespace

Reach reach_of(const State& state, const Setup& setup, double dt) {
  // a step is cut where impulses bring a body further out of its box than that
  // (contact/closing.hpp)
  const double spare =
      looks_at_the_end(setup.constraints) ? kFurthestOut * state.smallest_radius : 0.0;
  return {.dt = dt,
          .smallest_radius = state.smallest_radius,
          .cell = setup.cell,
          .rupture_distance = setup.laws.largest_rupture_distance(),
          .spare = spare};
}

Detected detect(const State& state, const Setup& setup, double dt, Machinery& machinery) {
  const LogStage stage(Stage::contacts);
  const Reach reach = reach_of(state, setup, dt);
  Detected found;
  found.pairs = machinery.neighbours.meeting(state.bodies, kSkin * reach.smallest_radius, reach.dt);
  std::optional<BallTwins> balls;
  if (setup.constraints == Constraints::multisphere) balls.emplace(state.bodies, setup.balls);
  Narrowed narrow = narrowed(machinery, [&](const OwnsPoint& owns) {
    return narrowphase(state.bodies, found.pairs, reach, owns,
                       balls ? balls->surfaces() : surfaces_of(state.bodies));
  });
  if (!narrow.fault.empty()) throw Failure(narrow.fault);
  found.contacts = std::move(narrow.contacts);
  if (setup.constraints == Constraints::single) keep_deepest(found.contacts);
  return found;
}

SolvedContacts solve_contacts(const State& state, const Setup& setup, Machinery& machinery,
                              Detected found, const ContactInput& input, StageClock& seconds) {
  const StepWork work{state, setup, machinery, input, seconds};
  const double speed = state.smallest_radius / setup.dt;
  SolvedContacts step;
  step.contacts = std::move(found.contacts);
  if (setup.constraints == Constraints::relcp) {
    solve_with_recursions(work, found.pairs, kErrorPerStep * speed, step);
    return step;
  }
  // where overlaps at the end are told, they are to be those of the constraints, not of the solve
  const double error = looks_at_the_end(setup.constraints)
                           ? std::min(kErrorPerStep, 0.5 * setup.recursion.overlap_tolerance)
                           : kErrorPerStep;
  formulate_and_solve(work, {error * speed}, step);
  if (looks_at_the_end(setup.constraints)) report_overlap(work, found.pairs, step);
  return step;
}

}  // namespace scree
