#include "attempt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "after_step.hpp"
#include "formulate_and_solve.hpp"
#include "scree/base/parallel.hpp"
#include "scree/contact/closing.hpp"
#include "scree/sources/groups.hpp"
#include "sourced_rows.hpp"
#include "travel.hpp"
#include "wedges.hpp"

namespace scree {
namespace {

/// Whether a body travels further than a step of this length resolves, so that it is to be cut.
/// Collective.
/// @throws Failure where it cannot be cut any more.
bool exceeds_limit(const Travel& mine, std::span<const ToolSpec> tools, MPI_Comm comm,
                   const StepClock& clock) {
  if (max_over_ranks(comm, mine.share) <= 1.0) return false;
  if (clock.halvings() < StepClock::kMostHalvings) return true;
  std::string fault;
  if (std::isinf(mine.share)) {
    fault = fmt::format(
        "step {}: the nearest points of {} at ({:.6g}, {:.6g}, {:.6g}) m and another are not found "
        "even in {:.3g} s, the shortest part that a step is cut to",
        clock.step, name_of_body(mine.id, tools), mine.where.x(), mine.where.y(), mine.where.z(),
        clock.dt);
  } else if (mine.share > 1.0) {
    fault = fmt::format(
        "step {}: {} at ({:.6g}, {:.6g}, {:.6g}) m moves at {:.3g} m/s, too far even in "
        "{:.3g} s, the shortest part that a step is cut to; give it less speed, or a shorter "
        "time.dt",
        clock.step, name_of_body(mine.id, tools), mine.where.x(), mine.where.y(), mine.where.z(),
        mine.speed, clock.dt);
  }
  throw Failure(first_text(comm, fault));
}

/// The fault of the result, before anything of it reaches the bodies; empty when there is none.
/// Collective.
std::string fault_of(const State& state, const Setup& setup, MPI_Comm comm,
                     const StepResult& step) {
  const SolverReport& report = step.impact.report;
  std::string mine =
      first_not_finite(state.bodies, step.contacts, step.formulated.problem, step.impact);
  if (mine.empty()) mine = first_row_not_finite(setup, step);
  std::string fault = first_text(comm, mine);
  if (fault.empty() && report.status != Status::converged &&
      setup.on_not_converged == NotConverged::abort) {
    std::string text = fmt::format("residual {:.1e}", report.measures.residual);
    if (!step.impact.fault.empty()) text += "; " + step.impact.fault;
    if (step.worst) {
      text +=
          fmt::format(", worst at {}", step.worst->is_contact() ? in_words(*step.worst, setup.tools)
                                                                : step.worst_cone);
    }
    return text + "; solver.on_not_converged is abort";
  }
  return fault;
}

}  // namespace

StepClock resolving(const Setup& setup, const StepClock& clock, double resolved) {
  if (!setup.length) return clock;
  return within(clock, setup.dt, {.longest = resolved, .shortest = setup.length->shortest()});
}

double longest_resolving(const StepLength& length, const State& state, double dt, MPI_Comm comm,
                         const StepClock& clock, ContactView found) {
  return min_over_ranks(comm, length.longest(state.bodies, found, clock.dt, dt));
}

bool closes_too_far(const State& state, const Setup& setup, MPI_Comm comm, const StepClock& clock,
                    const ContactList& found) {
  return exceeds_limit(furthest_closing(state.bodies, found, state.smallest_radius, clock.dt),
                       setup.tools, comm, clock);
}

bool travels_too_far(const State& state, const Setup& setup, Machinery& machinery,
                     const StepResult& step) {
  const double dt = step.clock.dt;
  return exceeds_limit(furthest_after(state, setup, step, dt), setup.tools, machinery.comm,
                       step.clock) ||
         exceeds_limit(furthest_passing(state, setup, machinery, step, dt), setup.tools,
                       machinery.comm, step.clock);
}

CutsOfPart cuts_so_far(const Setup& setup, const StepClock& clock) {
  constexpr double kRounding = 1e-9;
  if (!setup.length) return {};
  const double shares = setup.dt / setup.length->shortest();
  return {.chosen = std::min(clock.halvings(), static_cast<int>(std::log2(shares) + kRounding))};
}

bool is_to_be_cut(Cut cut, const StepResult& step, const Setup& setup, const CutsOfPart& cuts) {
  // Walls that a body meets one after another, at any places in their room, are apart by more than
  // twice its way in a part.
  constexpr int kMostForLoss = 6;
  const int halvings = step.clock.halvings();
  if (cut == Cut::loss) return halvings - cuts.chosen < kMostForLoss;
  if (cut != Cut::unsolved) return cut == Cut::length || cut == Cut::travel;
  return setup.on_not_converged == NotConverged::halve &&
         step.impact.report.status != Status::infeasible && halvings < StepClock::kMostHalvings &&
         halvings - cuts.chosen - cuts.forced < setup.halvings;
}

std::optional<WorstContact> worst_of(const State& state, const SolvedContacts& step) {
  if (step.impact.report.status == Status::converged) return std::nullopt;
  for (const EndOverlap& end : {step.overlap, step.compression}) {
    auto pair = unsolved_pair(step.formulated.problem.comm, end, state.bodies, step.contacts);
    if (pair) return pair;
  }
  const WorstContact worst = worst_of_all(step.formulated.problem, state.bodies, step.contacts,
                                          step.sourced, step.impact.impulse.get());
  return worst.velocity_error > 0.0 ? std::optional(worst) : std::nullopt;
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

Before before_step(const State& state) {
  return {.tools = velocities_of_tools(state),
          .insertions = state.insertions,
          .next_id = state.next_id,
          .spent = state.spent};
}

void restore_tools(State& state, std::span<const Velocities> velocities) {
  for (std::size_t i = 0; i < velocities.size(); ++i) {
    state.bodies.velocity[i] = velocities[i].linear;
    state.bodies.angular_velocity[i] = velocities[i].angular;
  }
}

void refuse(State& state, const Before& before) {
  restore_tools(state, before.tools);
  if (before.moved.from) restore_places(state.bodies, *before.moved.from);
}

std::vector<std::int64_t> ids_of_rows(const Store& bodies, std::int64_t n_rows) {
  std::vector<std::int64_t> ids;
  ids.reserve(static_cast<std::size_t>(n_rows));
  for_each_row(bodies, n_rows,
               [&](std::int32_t slot, std::int64_t /*row*/) { ids.push_back(bodies.id[slot]); });
  return ids;
}

void take_back(State& state, Before before) {
  refuse(state, before);
  state.spent = before.spent;
  if (state.next_id == before.next_id) return;
  const std::vector<std::int64_t> ids = ids_of_rows(state.bodies, state.bodies.n_owned);
  std::vector<bool> stays;
  stays.reserve(ids.size());
  for (const std::int64_t id : ids) stays.push_back(id < before.next_id);
  keep_owned(state.bodies, stays);
  state.insertions = std::move(before.insertions);
  state.next_id = before.next_id;
}

}  // namespace scree
