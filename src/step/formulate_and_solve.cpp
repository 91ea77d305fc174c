#include "formulate_and_solve.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "contact_histories.hpp"
#include "scree/base/log_stage.hpp"
#include "scree/step/inertial.hpp"
#include "scree/step/stepper.hpp"
#include "sourced_rows.hpp"
#include "start_of_pairs.hpp"

namespace scree {
namespace {

/// Part of the smallest radius by which overlap is recovered in a step.
constexpr double kRecoveryPerStep = 0.1;

/// The impulses of contacts carried over from the step before, @p records of theirs, with those
/// that its recursions found. @p dt: for which their forces last.
petsc::Vector carried_by_contacts(const State& state, const Setup& setup,
                                  const SolvedContacts& step, const FoundRecords& records,
                                  double dt) {
  const ContactProblem& problem = step.formulated.problem;
  if (!setup.constraints->finds_within_step()) {
    return guess_of(problem, step.contacts, records, dt);
  }
  return guess_of(problem, step.contacts,
                  with_recursions(step.contacts, records, state.contacts.records()), dt);
}

/// The impulses carried over from the step before.
petsc::Vector carried_start(const State& state, const Setup& setup, const SolvedContacts& step,
                            const FoundRecords& records, double dt) {
  // an impact in a short part is no force that lasts for a long one
  const double kept = std::min(dt, state.last_dt);
  petsc::Vector start = carried_by_contacts(state, setup, step, records, kept);
  start_from_memory(state, setup, step.sourced, kept, petsc::View(start.get()).span());
  return start;
}

/// The impulses of an earlier solve of the step.
petsc::Vector start_from(const EarlierImpulses& earlier, const SolvedContacts& step, double dt) {
  petsc::Vector start = guess_of(step.formulated.problem, step.contacts,
                                 records_of(step.contacts, earlier.contacts), dt);
  const petsc::View lambda(start.get());
  std::ranges::copy(earlier.rows, span_of_sources(step.sourced, lambda.span()).begin());
  return start;
}

/// Has bodies strike as they turn by themselves in the step: impacts come halfway through what
/// forces give, but no part of a gyroscopic torque by itself keeps the energy.
void turn_alone(const Store& bodies, double dt, Vec velocities) {
  const petsc::View v(velocities);
  for_each_row(bodies, std::ssize(v.span()) / 6, [&](std::int32_t slot, std::int64_t row) {
    Vec3::Map(v.data() + 6 * row + 3) = inertial_spin(bodies, slot, dt);
  });
}

/// Whether impacts, or ways that find constraints within the step, ask how its rows take gaps.
bool asks_for_gap_bias(const Setup& setup, const ContactLaws& laws) {
  return setup.impact_law->reads_velocities_before() || laws.any_restitution() ||
         setup.constraints->finds_within_step();
}

/// @p contacts, brought to the order in which they are formulated. Collective.
void formulate(const StepWork& work, const SolveInput& input, ContactList contacts,
               SolvedContacts& step) {
  const LogStage stage(Stage::assemble);
  const auto& [state, setup, machinery, at, seconds] = work;
  const double dt = at.clock.dt;
  const double speed = recovery_speed(state, setup);
  const ContactLaws at_end =
      setup.laws.go_with_time() ? setup.laws.at(at.clock.end) : ContactLaws();
  const ContactLaws& laws = setup.laws.go_with_time() ? at_end : setup.laws;
  step.contacts = sorted_by_cone(std::move(contacts), state.bodies, laws);
  const FoundRecords found = state.contacts.find(step.contacts);
  // only those that find more contacts within the step formulate these again
  const bool keeps_histories = setup.constraints->finds_within_step();
  if (keeps_histories) {
    step.histories =
        histories_of(state.bodies, step.contacts, found, dt, speed * dt, input.springs);
  }
  const HistoryBlocks histories =
      keeps_histories ? HistoryBlocks(step.histories)
                      : history_blocks(state.bodies, step.contacts, found, dt, speed * dt);
  step.sourced = rows_of_sources(state, setup, machinery.partition, at.clock);
  const std::vector<Velocities> surfaces = surface_velocities(setup.tools, state.bodies);
  const std::vector<BodyInertia> inertias = apparent_inertias(*setup.stepper, state.bodies, dt);
  step.formulated =
      assemble(machinery.comm,
               {state.bodies, at.numbers, inertias,
                free_velocities(machinery.comm, state.bodies, *setup.stepper, at.loads,
                                at.numbers.n_rows, dt)},
               step.contacts, histories, laws,
               {.dt = dt,
                .recovery_speed = speed,
                .has_inertia = setup.stepper->has_inertia() && setup.growths.empty(),
                .friction = setup.friction,
                .has_secants = !setup.constraints->finds_within_step(),
                .reads_velocities_before = setup.impact_law->reads_velocities_before(),
                .keeps_gap_bias = asks_for_gap_bias(setup, laws),
                .tools_before = at.tools_before,
                .surfaces = surfaces,
                .origin = at.clock.name(),
                .given = &step.sourced.rows});
  if (setup.impact_law->reads_velocities_before()) {
    turn_alone(state.bodies, dt, step.formulated.v_before.get());
  }
  step.guess = input.earlier == nullptr ? carried_start(state, setup, step, found, dt)
                                        : start_from(*input.earlier, step, dt);
}

void solve(const StepWork& work, const SolveInput& input, SolvedContacts& step) {
  SolverDriver& solver = work.machinery.solver;
  Goal goal = solver.goal();
  goal.velocity_error = step.velocity_error = input.velocity_error;
  goal.max_seconds = std::min(goal.max_seconds, input.max_seconds);
  goal.give_up = work.input.give_up;
  petsc::Vector guess =
      work.setup.keeps_starts ? petsc::copy(step.guess.get()) : std::move(step.guess);
  step.impact = resolve(step.formulated, step.contacts, *work.setup.impact_law, solver, goal,
                        std::move(guess));
}

}  // namespace

double seconds_of_part(const State& state, const SolverDriver& solver) {
  constexpr double kLeast = 1e-6;
  const double of_one = solver.goal().max_seconds;
  const double left = static_cast<double>(kPartsWorth) * of_one - state.spent.seconds;
  return std::max(std::min(of_one, left), kLeast);
}

double recovery_speed(const State& state, const Setup& setup) {
  return setup.recovery_speed > 0.0 ? setup.recovery_speed
                                    : kRecoveryPerStep * state.smallest_radius / setup.dt;
}

petsc::Vector start_of(const State& state, const Setup& setup, const SolvedContacts& step,
                       double dt) {
  return carried_start(state, setup, step, state.contacts.find(step.contacts), dt);
}

void formulate_and_solve(const StepWork& work, const SolveInput& input, ContactList contacts,
                         SolvedContacts& step) {
  work.seconds.time(&StageSeconds::assemble,
                    [&] { formulate(work, input, std::move(contacts), step); });
  work.seconds.time(&StageSeconds::solve, [&] { solve(work, input, step); });
}

TrialOverlaps find_trial_overlaps(const StepWork& work, const SolvedContacts& step) {
  const auto& [state, setup, machinery, input, seconds] = work;
  const double dt = input.clock.dt;
  const petsc::ConstView velocity(step.impact.end_velocity.get());
  TrialOverlaps result{trial_of(state.bodies, velocity.span(), machinery.exchange, dt), {}};
  result.found = narrowed(machinery.comm, [&] {
    return overlaps(state.bodies, meeting_pairs(state, setup, machinery), result.trial.poses,
                    reach_of(state, setup, dt));
  });
  return result;
}

}  // namespace scree
