#include "scree/step/step.hpp"

#include <utility>

#include "after_step.hpp"
#include "attempt.hpp"
#include "compression.hpp"
#include "formulate_and_solve.hpp"
#include "scree/base/log_stage.hpp"
#include "scree/base/parallel.hpp"
#include "stages.hpp"

namespace scree {
namespace {

/// Solves the contacts of the part of the step that step.clock names, where it resolves them and
/// they are not to close too far in it.
Cut try_part(State& state, const Setup& setup, Machinery& machinery, const ContactInput& input,
             ContactList found, StepResult& step, StageClock& seconds) {
  if (setup.length) {
    step.resolved =
        longest_resolving(*setup.length, state, setup.dt, machinery.comm, step.clock, found);
    const StepClock resolved = resolving(setup, step.clock, step.resolved);
    if (resolved.parts < step.clock.parts) return Cut::length;
  }
  if (closes_too_far(state, setup, machinery.comm, step.clock, found)) return Cut::travel;
  SolvedContacts& solved = step;
  solved = {};  // two problems would not fit where one does
  solved = solve_contacts(state, setup, machinery, std::move(found), input, seconds);
  state.spent.recursions += solved.recursions;
  state.spent.seconds += max_over_ranks(machinery.comm, solved.impact.report.seconds);
  if (travels_too_far(state, setup, machinery, step)) return Cut::travel;
  judge_compression(state, setup, machinery.comm, machinery.exchange, step.clock.dt, solved);
  if (solved.impact.report.status != Status::converged) return Cut::unsolved;
  return solved.impact.lost_by_length > 0.0 ? Cut::loss : Cut::none;
}

/// The grains that are due come in, and all are predicted, each with its owner.
Predicted begin(State& state, const Setup& setup, Machinery& machinery, const StepClock& clock) {
  const LogStage stage(Stage::domain);
  if (clock.begins_step() || setup.length) state.spent = {};
  if (clock.begins_step()) {
    insert(state, setup, machinery.partition, StepCount{clock.step, 0}.time(setup.dt));
  }
  return distribute(state, setup, machinery, clock);
}

StepResult try_step(State& state, const Setup& setup, Machinery& machinery, Before& before,
                    StageClock& seconds, const GiveUp& give_up) {
  StepResult step;
  step.clock = resolving(setup, state.done.next(setup.dt), state.longest_next);
  const Traffic traffic = machinery.exchange.traffic();
  Predicted predicted = seconds.time(&StageSeconds::domain,
                                     [&] { return begin(state, setup, machinery, step.clock); });
  for (CutsOfPart cuts = cuts_so_far(setup, step.clock);;) {
    Found found = find(state, setup, machinery, {step.clock, give_up, seconds},
                       std::move(predicted), before.moved);
    predicted = std::move(found.predicted);
    const Cut cut =
        try_part(state, setup, machinery,
                 {step.clock, machinery.numbers, predicted.loads, before.tools, give_up},
                 std::move(found.contacts), step, seconds);
    if (!is_to_be_cut(cut, step, setup, cuts)) break;
    const StepClock shorter = cut == Cut::length ? resolving(setup, step.clock, step.resolved)
                                                 : first_half(step.clock, setup.dt);
    if (cut != Cut::unsolved) {
      (cut == Cut::length ? cuts.chosen : cuts.forced) +=
          shorter.halvings() - step.clock.halvings();
    }
    step.clock = shorter;
    predicted = seconds.time(&StageSeconds::domain,
                             [&] { return predict(state, setup, machinery, step.clock); });
  }
  const bool is_solved = step.impact.report.status == Status::converged;
  if (!step.guess && !is_solved && setup.keeps_starts_of_unsolved) {
    step.guess = start_of(state, setup, step, step.clock.dt);
  }
  step.projected = before.moved.sum;
  step.body_ids = ids_of_rows(state.bodies, machinery.numbers.n_rows);
  step.traffic = machinery.exchange.traffic() - traffic;
  step.n_ghosts = state.bodies.size() - state.bodies.end_owned();
  step.worst = worst_of(state, step);
  if (step.worst && !step.worst->is_contact()) {
    step.worst_cone = name_of_cone(step.worst->cone, state.joints, setup.sources);
  }
  step.refusal = refusal_of(state, setup, machinery.comm, step);
  if (!step.refusal.empty()) {
    refuse(state, before);
  } else {
    seconds.time(&StageSeconds::advance,
                 [&] { finish(state, setup, machinery.comm, predicted.loads, step); });
  }
  return step;
}

}  // namespace

StepResult take_step(State& state, const Setup& setup, Machinery& machinery, StageClock& seconds,
                     const GiveUp& give_up) {
  Before before = before_step(state);
  try {
    return try_step(state, setup, machinery, before, seconds, give_up);
  } catch (const GivenUp&) {
    take_back(state, std::move(before));
    throw;
  }
}

std::string fault_of_loads(State& state, const Setup& setup, const Machinery& machinery) {
  return fault_of_loads_at(state, setup, machinery.comm, state.done.time(setup.dt), setup.dt);
}

ContactList contacts_at_rest(State& state, const Setup& setup, Machinery& machinery) {
  const StepClock clock = state.done.next(setup.dt);
  const std::vector<Velocities> tools = velocities_of_tools(state);
  const Predicted predicted = distribute(state, setup, machinery, clock);
  bring_ghosts(state, setup, machinery, clock, predicted);
  ContactList contacts = detect(state, setup, clock.dt, machinery);
  restore_tools(state, tools);
  return contacts;
}

}  // namespace scree
