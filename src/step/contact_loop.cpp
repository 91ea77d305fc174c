#include "scree/step/contact_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "scree/base/log_stage.hpp"
#include "scree/base/parallel.hpp"
#include "scree/contact/ball_twins.hpp"
#include "scree/contact/closing.hpp"
#include "scree/contact/narrowphase.hpp"
#include "scree/step/contact_memory.hpp"
#include "scree/step/stepper.hpp"

namespace scree {
namespace {

/// Parts of the smallest radius: by how much overlap is recovered in a step, and by how much a contact of a
/// solved step may miss its law.
constexpr double kRecoveryPerStep = 0.1;
constexpr double kErrorPerStep = 0.1;
/// Part of the smallest radius that a box may move before pairs are listed anew.
constexpr double kSkin = 0.1;

bool recurs(const Setup& setup) {
  return setup.constraints == Constraints::relcp;
}

double recovery_speed(const State& state, const Setup& setup) {
  return setup.recovery_speed > 0.0 ? setup.recovery_speed
                                    : kRecoveryPerStep * state.smallest_radius / setup.dt;
}

/// Impulses of an earlier solve of the step on this rank, by key; null on all ranks in the first solve.
using EarlierImpulses = const std::vector<ContactRecord>*;

/// Where a solve of @p contacts starts: at the impulses of the earlier solve; contacts that it did not have at what the
/// step before carries, @p carried. Collective.
petsc::Vector start_of(const ContactProblem& problem, std::span<const Contact> contacts,
                       EarlierImpulses earlier, std::span<const ContactRecord* const> carried,
                       double dt, double last_dt) {
  // an impact in a short part is no force that lasts for a long one
  const double kept = std::min(dt, last_dt);
  if (earlier == nullptr) return guess_of(problem, contacts, carried, kept);
  const std::vector<const ContactRecord*> known = records_of(contacts, *earlier);
  std::vector<const ContactRecord*> others(carried.begin(), carried.end());
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (known[i] != nullptr) others[i] = nullptr;
  }
  petsc::Vector guess = guess_of(problem, contacts, others, kept);
  const petsc::Vector of_step = guess_of(problem, contacts, known, dt);
  SCREE_PETSC(VecAXPY(guess.get(), 1.0, of_step.get()));
  return guess;
}

void pose(const State& state, const Setup& setup, const Machinery& machinery,
          const ContactInput& input, EarlierImpulses earlier, SolvedContacts& step) {
  const LogStage stage(Stage::assemble);
  const double dt = input.clock.dt;
  const double speed = recovery_speed(state, setup);
  sort_by_cone(step.contacts, state.bodies, setup.laws);
  const FoundRecords found = state.contacts.find(step.contacts);
  const std::span<const ContactRecord* const> records = found.of;
  step.histories = histories_of(state.bodies, step.contacts, records, dt, speed * dt);
  const std::vector<BodyInertia> inertias = apparent_inertias(*setup.stepper, state.bodies, dt);
  step.posed = assemble(
      machinery.comm,
      {state.bodies, input.numbers, inertias, free_velocities(machinery.comm, state.bodies)},
      step.contacts, step.histories, setup.laws,
      {.dt = dt,
       .recovery_speed = speed,
       .friction = setup.friction,
       .tools_before = input.tools_before});
  step.posed.problem.origin = input.clock.name();
  step.guess = start_of(step.posed.problem, step.contacts, earlier, records, dt, state.last_dt);
}

void solve(const State& state, const Setup& setup, Machinery& machinery, SolvedContacts& step) {
  petsc::Vector start = petsc::duplicate(step.guess.get());
  SCREE_PETSC(VecCopy(step.guess.get(), start.get()));
  // where smaller overlaps are looked for, a solve must not leave them
  const double error = looks_at_the_end(setup.constraints)
                           ? std::min(kErrorPerStep, 0.5 * setup.recursion.overlap_tolerance)
                           : kErrorPerStep;
  machinery.solver.bound_velocity_error(error * state.smallest_radius / setup.dt);
  step.impact =
      resolve(step.posed, step.contacts, *setup.impact_law, machinery.solver, std::move(start));
}

/// What a narrow phase finds, and why it did not, on any rank: a pair whose nearest points are not found.
struct Narrowed {
  std::vector<Contact> contacts;
  std::string fault;
};

/// Collective.
template <class NarrowPhase>
Narrowed narrowed(const Machinery& machinery, NarrowPhase&& narrow) {
  const Partition& partition = machinery.partition;
  Narrowed found;
  try {
    found.contacts = narrow([&partition](const Vec3& point) { return partition.holds(point); });
  } catch (const Failure& failure) {
    found.fault = failure.what();
  }
  found.fault = first_text(machinery.comm, found.fault);
  return found;
}

/// Keeps the point with the least gap of each pair, which bears the pair's whole stiffness. @pre sorted by key
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

/// Poses and solves step.contacts. Collective.
void pose_and_solve(const State& state, const Setup& setup, Machinery& machinery,
                    const ContactInput& input, EarlierImpulses earlier, SolvedContacts& step,
                    StageClock& seconds) {
  seconds.time(&StageSeconds::assemble,
               [&] { pose(state, setup, machinery, input, earlier, step); });
  seconds.time(&StageSeconds::solve, [&] { solve(state, setup, machinery, step); });
}

/// Says that the step is not solved, and why, besides what the solver had to say.
void refuse_convergence(SolvedContacts& step, Status status, const std::string& why) {
  SolverReport& report = step.impact.report;
  report.status = status;
  report.attempts.push_back({"relcp", status});
  report.reason += (report.reason.empty() ? "" : "; ") + why;
}

/// Where the last solve brings the bodies, and what overlaps there.
struct Tried {
  Trial trial;
  Narrowed found;
};

/// Collective.
Tried tried(const State& state, const Setup& setup, Machinery& machinery,
            const std::vector<Pair>& pairs, double dt, const SolvedContacts& step) {
  const petsc::ConstView velocity(step.impact.end_velocity.get());
  Tried result{trial_of(state.bodies, velocity.span(), machinery.exchange, dt), {}};
  result.found = narrowed(machinery, [&](const OwnsPoint& owns) {
    return overlaps(state.bodies, pairs, result.trial.poses, reach_of(state, setup, dt), owns);
  });
  return result;
}

/// The constraints that the last solve is found to lack. Where there are none any more, or they cannot be found, the
/// report has why. Collective.
std::vector<Contact> lacking_constraints(const State& state, const Setup& setup,
                                         Machinery& machinery, const std::vector<Pair>& pairs,
                                         const ContactInput& input, SolvedContacts& step) {
  const double dt = input.clock.dt;
  auto [trial, found] = tried(state, setup, machinery, pairs, dt, step);
  if (!found.fault.empty()) {
    step.recursions.overlap = std::numeric_limits<double>::quiet_NaN();
    refuse_convergence(step, Status::breakdown, found.fault);
    return {};
  }
  Overlaps left = pulled_back(state.bodies, std::move(found.contacts), step.contacts, trial,
                              setup.recursion.overlap_tolerance, recovery_speed(state, setup) * dt,
                              static_cast<std::int32_t>(step.recursions.count) + 1, dt);
  report_largest(left, machinery.comm, step.recursions);
  return std::move(left.constraints);
}

/// Reports what constraints that look no further leave: the overlap of the bodies' own shapes. Collective.
void report_overlap(const State& state, const Setup& setup, Machinery& machinery,
                    const std::vector<Pair>& pairs, double dt, SolvedContacts& step) {
  step.recursions.overlap = std::numeric_limits<double>::quiet_NaN();
  if (!std::isfinite(step.impact.report.measures.residual)) return;
  const Tried end = tried(state, setup, machinery, pairs, dt, step);
  if (!end.found.fault.empty()) return;
  report_largest(largest_overlap(state.bodies, end.found.contacts), machinery.comm,
                 step.recursions);
}

/// Whether the step is to be solved again. One that has been too often is not solved.
bool goes_on(const Setup& setup, SolvedContacts& step) {
  const RecursionReport& done = step.recursions;
  if (!(done.overlap > setup.recursion.overlap_tolerance)) return false;
  if (done.count < setup.recursion.max_recursions) return true;
  refuse_convergence(
      step, Status::iteration_limit,
      fmt::format("after {} recursions bodies {} and {} overlap by {:.1e} of a radius", done.count,
                  done.id_a, done.id_b, done.overlap));
  return false;
}

/// Solves the step again, with further constraints among those that there were. Collective.
void solve_with(std::span<const Contact> constraints, const State& state, const Setup& setup,
                Machinery& machinery, const ContactInput& input, SolvedContacts& step,
                StageClock& seconds) {
  const SolverReport before = step.impact.report;
  std::vector<ContactRecord> last;
  {
    const petsc::ConstView impulse(step.impact.impulse.get());
    last = impulses_of(step.contacts, step.posed.problem, impulse.span(), input.clock.dt);
  }
  step.contacts.insert(step.contacts.end(), constraints.begin(), constraints.end());
  std::sort(step.contacts.begin(), step.contacts.end(),
            [](const Contact& a, const Contact& b) { return a.key < b.key; });
  pose_and_solve(state, setup, machinery, input, &last, step, seconds);
  SolverReport& report = step.impact.report;
  report.iterations += before.iterations;
  report.inner_iterations += before.inner_iterations;
  report.seconds += before.seconds;
}

}  // namespace

Reach reach_of(const State& state, const Setup& setup, double dt) {
  // a step is cut where impulses bring a body further out of its box than that (contact/closing.hpp)
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
  SolvedContacts step;
  step.contacts = std::move(found.contacts);
  pose_and_solve(state, setup, machinery, input, nullptr, step, seconds);
  while (recurs(setup) && step.impact.report.status == Status::converged) {
    const std::vector<Contact> further = seconds.time(&StageSeconds::contacts, [&] {
      return lacking_constraints(state, setup, machinery, found.pairs, input, step);
    });
    if (!goes_on(setup, step)) return step;
    ++step.recursions.count;
    solve_with(further, state, setup, machinery, input, step, seconds);
  }
  if (recurs(setup)) {
    step.recursions.overlap = std::numeric_limits<double>::quiet_NaN();
  } else if (looks_at_the_end(setup.constraints)) {
    report_overlap(state, setup, machinery, found.pairs, input.clock.dt, step);
  }
  return step;
}

}  // namespace scree
