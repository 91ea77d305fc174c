#include "scree/step/step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "after_step.hpp"
#include "compression.hpp"
#include "formulate_and_solve.hpp"
#include "scree/base/log_stage.hpp"
#include "scree/base/parallel.hpp"
#include "scree/contact/closing.hpp"
#include "scree/contact/passing.hpp"
#include "scree/sources/groups.hpp"
#include "scree/step/projection.hpp"
#include "scree/step/recursion.hpp"
#include "scree/step/stepper.hpp"
#include "wedges.hpp"

namespace scree {
namespace {

std::span<const double> work_of(const Store& bodies) {
  return std::span(bodies.work).subspan(bodies.first_owned(), bodies.n_owned);
}

/// The grains that are due when the step begins.
void insert(State& state, const Setup& setup, const Partition& partition, double time) {
  for (std::size_t i = 0; i < setup.insertions.size(); ++i) {
    state.next_id += setup.insertions[i].insert(state.insertions[i], state.bodies, partition,
                                                setup.cell, time, state.next_id);
  }
}

/// Each grain to its owner, and what contacts carry to those who will have them.
void distribute(State& state, const Setup& setup, Machinery& machinery) {
  machinery.partition.rebalance(state.bodies, work_of(state.bodies), setup.balance);
  machinery.exchange.migrate(state.bodies, machinery.partition.owners(state.bodies));
  state.contacts.redistribute(machinery.comm, machinery.partition, setup.cell);
}

/// The loads on the owned grains at the time @p t.
struct Predicted {
  Loads loads;
  std::string fault;  ///< why there is no v_free, on any rank
};

/// Fills v_free. Collective.
Predicted predict(State& state, const Setup& setup, MPI_Comm comm, double t, double dt) {
  Predicted result;
  try {
    result.loads = loads(state.bodies, setup.fields, setup.flow, t);
    predict(state.bodies, *setup.stepper, result.loads, dt);
  } catch (const InputError& error) {
    result.fault = error.what();
  }
  result.fault = first_text(comm, result.fault);
  return result;
}

/// A step as it is tried: bodies with v_free, boxes and ghosts, and their rows.
struct Prepared {
  Loads loads;
  Numbering numbers;
};

Prepared prepare(State& state, const Setup& setup, Machinery& machinery, const StepClock& clock) {
  const LogStage stage(Stage::domain);
  set_tool_velocities(state.bodies, setup.tools, clock.time, clock.dt);
  Predicted predicted = predict(state, setup, machinery.comm, clock.time, clock.dt);
  if (!predicted.fault.empty()) {
    throw Failure(fmt::format("{}: {}", clock.name(), predicted.fault));
  }
  update_boxes(state.bodies, reach_of(state, setup, clock.dt));
  machinery.exchange.ghosts(state.bodies, machinery.partition, setup.cell);
  const Numbering numbers = number(state.bodies, machinery.exchange);
  if (numbers.n_bodies_global > kMaxGrains) {
    throw Failure(fmt::format("{}: {} grains; at most {} can be numbered", clock.name(),
                              numbers.n_bodies_global, kMaxGrains));
  }
  return {std::move(predicted.loads), numbers};
}

/// Where to look when the step was not solved. Collective.
std::optional<WorstContact> worst_of(const State& state, const SolvedContacts& step) {
  if (step.impact.report.status == Status::converged) return std::nullopt;
  for (const EndOverlap& end : {step.overlap, step.compression}) {
    const auto pair = unsolved_pair(step.formulated.problem.comm, end, state.bodies, step.contacts);
    if (pair) return pair;
  }
  const WorstContact worst = worst_contact(step.formulated.problem, state.bodies, step.contacts,
                                           step.impact.impulse.get());
  return worst.velocity_error > 0.0 ? std::optional(worst) : std::nullopt;
}

/// The fault of the result, before anything of it reaches the bodies; empty when there is none.
/// Collective.
std::string fault_of(const State& state, const Setup& setup, MPI_Comm comm,
                     const StepResult& step) {
  const SolverReport& report = step.impact.report;
  const std::string fault = first_text(
      comm,
      first_not_finite(state.bodies, step.contacts, step.formulated.problem.cones, step.impact));
  if (fault.empty() && report.status != Status::converged &&
      setup.on_not_converged == NotConverged::abort) {
    std::string text = fmt::format("residual {:.1e}", report.measures.residual);
    if (!step.impact.fault.empty()) text += "; " + step.impact.fault;
    if (step.worst) text += fmt::format(", worst at {}", in_words(*step.worst, setup.tools));
    return text + "; solver.on_not_converged is abort";
  }
  return fault;
}

std::string refusal_of(State& state, const Setup& setup, MPI_Comm comm, const StepResult& step) {
  const SolverReport& report = step.impact.report;
  std::string fault = fault_of(state, setup, comm, step);
  if (!fault.empty()) {
    fault = fmt::format("{} ended with {}: {}", report.solver, to_string(report.status), fault);
  } else {
    fault = fault_of_wedges(state.infeasible_steps, step.formulated.problem, state.bodies,
                            step.contacts, setup.tools, step.impact);
  }
  if (fault.empty()) return fault;
  return fmt::format("step {} at {:.6g} s was not taken: {}", step.clock.step, step.clock.end,
                     fault);
}

/// Whether a grain travels further than a step of this length resolves, so that it is to be cut.
/// Collective.
/// @throws Failure where it cannot be cut any more.
bool exceeds_limit(const Travel& mine, MPI_Comm comm, const StepClock& clock) {
  if (max_over_ranks(comm, mine.share) <= 1.0) return false;
  if (clock.halvings() < StepClock::kMostHalvings) return true;
  std::string fault;
  if (mine.share > 1.0) {
    fault = fmt::format(
        "step {}: grain {} at ({:.6g}, {:.6g}, {:.6g}) m moves at {:.3g} m/s, too far even in "
        "{:.3g} s, the shortest part that a step is cut to; give it less speed, or a shorter "
        "time.dt",
        clock.step, mine.id, mine.where.x(), mine.where.y(), mine.where.z(), mine.speed, clock.dt);
  }
  throw Failure(first_text(comm, fault));
}

/// The longest travel after the solve; velocities that are no numbers are refusal_of()'s concern.
Travel furthest_after(const State& state, const Setup& setup, const SolvedContacts& step,
                      double dt) {
  const petsc::ConstView velocity(step.impact.end_velocity.get());
  return furthest_out(state.bodies, velocity.span(), state.smallest_radius, dt,
                      setup.constraints->looks_at_the_end());
}

/// For each contact whether its normal has a spring.
std::vector<bool> yielding_normals(const ContactProblem& problem) {
  std::vector<bool> yields;
  for (std::size_t i = 0; i < problem.cones.count(); ++i) {
    yields.push_back(problem.compliance_of(problem.cones.row(i)) > 0.0);
  }
  return yields;
}

/// The furthest that the solved step takes a grain of this rank into a body, where that is too far.
/// Collective. @p pairs: whose boxes meet.
Travel furthest_passing(const State& state, const Setup& setup, Machinery& machinery,
                        std::span<const Pair> pairs, const SolvedContacts& step, double dt) {
  if (!setup.constraints->holds_shapes_apart()) return {};
  const petsc::ConstView velocity(step.impact.end_velocity.get());
  const bool is_solved = step.impact.report.status == Status::converged;
  const bool is_due =
      !is_solved || any_turns_far(state.bodies, velocity.span(), state.smallest_radius, dt);
  if (max_over_ranks(machinery.comm, is_due ? 1 : 0) == 0) return {};
  const Trial trial = trial_of(state.bodies, velocity.span(), machinery.exchange, dt);
  const Ends ends{trial.poses, trial.velocities, setup.cell, is_solved};
  const Store& bodies = state.bodies;
  const Narrowed met = narrowed(machinery, [&](const OwnsPoint& owns) {
    const std::vector<Pair> unknown = unknown_pairs(bodies, pairs, step.contacts, ends, dt);
    return overlaps(bodies, unknown, trial.poses, reach_of(state, setup, dt), owns);
  });
  const std::vector<bool> yields = yielding_normals(step.formulated.problem);
  return std::ranges::max(
      {furthest_into(bodies, step.contacts, yields, ends, dt),
       furthest_of_unknown(bodies, met.contacts, ends), relinked(bodies, pairs, ends)},
      {}, &Travel::share);
}

/// The bodies where a step begins: what acts on them, and their contacts.
struct Beginning {
  Prepared prepared;
  Detected found;
};

/// Has the bodies know each other, and at a run's first step moves them out of overlaps: later ones
/// are errors of solves, and a move in each step would hide from the rule of wedges that a body is
/// jammed. @p places: of the grains before the first move, where there is any. Collective.
Beginning begin(State& state, const Setup& setup, Machinery& machinery, const StepClock& clock,
                const GiveUp& give_up, std::optional<GrainPlaces>& places, Projected& projected,
                StageClock& seconds) {
  for (int projections = 0;; ++projections) {
    Beginning now;
    now.prepared = seconds.time(&StageSeconds::domain,
                                [&] { return prepare(state, setup, machinery, clock); });
    now.found = seconds.time(&StageSeconds::contacts,
                             [&] { return detect(state, setup, clock.dt, machinery); });
    const bool is_first = state.done.steps == 0 && state.done.parts == 0;
    if (!is_first || projections == kMostProjections) return now;
    const bool moved = seconds.time(&StageSeconds::solve, [&] {
      return project_overlaps(state, setup, machinery,
                              {.numbers = now.prepared.numbers,
                               .contacts = now.found.contacts,
                               .loads = now.prepared.loads,
                               .dt = clock.dt,
                               .give_up = give_up},
                              places, projected);
    });
    if (!moved) return now;
  }
}

/// Why a part of a step is to be cut.
enum class Cut { none, travel, unsolved };

/// Solves the contacts of the part of the step that step.clock names.
Cut try_part(State& state, const Setup& setup, Machinery& machinery, const ContactInput& input,
             Detected found, StepResult& step, StageClock& seconds) {
  const double dt = step.clock.dt;
  const Travel closing = furthest_closing(state.bodies, found.contacts, state.smallest_radius, dt);
  if (exceeds_limit(closing, machinery.comm, step.clock)) return Cut::travel;
  const std::vector<Pair> pairs = found.pairs;
  SolvedContacts& solved = step;
  solved = {};  // two problems would not fit where one does
  solved = solve_contacts(state, setup, machinery, std::move(found), input, seconds);
  state.spent.recursions += solved.recursions;
  state.spent.seconds += max_over_ranks(machinery.comm, solved.impact.report.seconds);
  if (exceeds_limit(furthest_after(state, setup, solved, dt), machinery.comm, step.clock) ||
      exceeds_limit(furthest_passing(state, setup, machinery, pairs, solved, dt), machinery.comm,
                    step.clock)) {
    return Cut::travel;
  }
  judge_compression(state.bodies, setup, machinery.comm, machinery.exchange, dt, solved);
  return solved.impact.report.status == Status::converged ? Cut::none : Cut::unsolved;
}

/// Whether the part is to be cut again; @p travel_cuts: how often it was cut for a travel that was
/// too long. No length of step solves what has no solution.
bool is_to_be_cut(Cut cut, const StepResult& step, const Setup& setup, int travel_cuts) {
  if (cut != Cut::unsolved) return cut == Cut::travel;
  return setup.on_not_converged == NotConverged::halve &&
         step.impact.report.status != Status::infeasible &&
         step.clock.halvings() - travel_cuts < setup.halvings;
}

/// The values that a step changes before it is solved.
struct Before {
  std::vector<Velocities> tools;           ///< empty before the first step
  std::optional<GrainPlaces> places = {};  ///< where grains were moved out of overlaps
  std::vector<InsertionState> insertions;
  std::int64_t next_id = 0;
  SpentInStep spent;
};

Before before_step(const State& state) {
  return {.tools = velocities_of_tools(state),
          .insertions = state.insertions,
          .next_id = state.next_id,
          .spent = state.spent};
}

/// Gives the tools the velocities that they had before a step that is not taken; none before the
/// first step.
void restore_tools(State& state, std::span<const Velocities> velocities) {
  for (std::size_t i = 0; i < velocities.size(); ++i) {
    state.bodies.velocity[i] = velocities[i].linear;
    state.bodies.angular_velocity[i] = velocities[i].angular;
  }
}

std::vector<std::int64_t> ids_of_owned(const Store& bodies) {
  const auto first = bodies.id.begin() + bodies.first_owned();
  return {first, first + bodies.n_owned};
}

/// Has a step that was given up leave nothing behind: the grains that came in for it leave.
void take_back(State& state, Before before) {
  restore_tools(state, before.tools);
  if (before.places) restore_places(state.bodies, *before.places);
  state.spent = before.spent;
  if (state.next_id == before.next_id) return;
  const std::vector<std::int64_t> ids = ids_of_owned(state.bodies);
  std::vector<bool> stays;
  for (const std::int64_t id : ids) stays.push_back(id < before.next_id);
  keep_owned(state.bodies, stays);
  state.insertions = std::move(before.insertions);
  state.next_id = before.next_id;
}

StepResult try_step(State& state, const Setup& setup, Machinery& machinery, Before& before_step,
                    StageClock& seconds, const GiveUp& give_up) {
  StepResult step;
  step.clock = state.done.next(setup.dt);
  const Traffic before = machinery.exchange.traffic();
  seconds.time(&StageSeconds::domain, [&] {
    const LogStage stage(Stage::domain);
    if (step.clock.begins_step()) {
      state.spent = {};
      insert(state, setup, machinery.partition, step.clock.end);
    }
    distribute(state, setup, machinery);
  });
  Prepared prepared;
  for (int travel_cuts = 0;; step.clock = first_half(step.clock, setup.dt)) {
    Beginning now = begin(state, setup, machinery, step.clock, give_up, before_step.places,
                          step.projected, seconds);
    prepared = std::move(now.prepared);
    const Cut cut = try_part(state, setup, machinery,
                             {step.clock, prepared.numbers, before_step.tools, give_up},
                             std::move(now.found), step, seconds);
    if (!is_to_be_cut(cut, step, setup, travel_cuts)) break;
    if (cut == Cut::travel) ++travel_cuts;
  }
  step.body_ids = ids_of_owned(state.bodies);
  step.traffic = machinery.exchange.traffic() - before;
  step.n_ghosts = state.bodies.size() - state.bodies.end_owned();
  step.worst = worst_of(state, step);
  step.refusal = refusal_of(state, setup, machinery.comm, step);
  if (!step.refusal.empty()) {
    restore_tools(state, before_step.tools);
    if (before_step.places) restore_places(state.bodies, *before_step.places);
  } else {
    seconds.time(&StageSeconds::advance,
                 [&] { finish(state, setup, machinery.comm, prepared.loads, step); });
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
  return predict(state, setup, machinery.comm, state.done.time(setup.dt), setup.dt).fault;
}

std::vector<Contact> contacts_at_rest(State& state, const Setup& setup, Machinery& machinery) {
  distribute(state, setup, machinery);
  const StepClock clock = state.done.next(setup.dt);
  const std::vector<Velocities> tools = velocities_of_tools(state);
  prepare(state, setup, machinery, clock);
  std::vector<Contact> contacts = detect(state, setup, clock.dt, machinery).contacts;
  restore_tools(state, tools);
  return contacts;
}

}  // namespace scree
