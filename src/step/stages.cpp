#include "stages.hpp"

#include <fmt/format.h>

#include <span>
#include <utility>

#include "scree/base/log_stage.hpp"
#include "scree/base/parallel.hpp"
#include "scree/domain/numbering.hpp"
#include "scree/sources/groups.hpp"
#include "scree/step/joints.hpp"
#include "scree/step/stepper.hpp"

namespace scree {
namespace {

/// Part of the smallest radius by which skins are wider than boxes.
constexpr double kSkin = 0.1;

std::span<const double> work_of(const Store& bodies) {
  return std::span(bodies.work).subspan(bodies.first_owned(), bodies.n_owned);
}

/// The loads on the bodies at a time, by which they are predicted.
struct LoadsOrFault {
  Loads loads;
  std::string fault;  ///< why there is no v_free, on any rank
};

/// Collective.
LoadsOrFault act(State& state, const Setup& setup, MPI_Comm comm, double t, double dt) {
  LoadsOrFault result;
  try {
    result.loads = loads(state.bodies, setup.fields, setup.flow, setup.tools, t);
    predict(state.bodies, *setup.stepper, result.loads, dt);
  } catch (const InputError& error) {
    result.fault = error.what();
  }
  result.fault = first_text(comm, result.fault);
  return result;
}

/// Each grain to its owner, which ends the pair list. Collective.
void send_home(State& state, Machinery& machinery) {
  machinery.neighbours.clear();
  machinery.exchange.migrate(state.bodies, machinery.partition.owners(state.bodies));
}

}  // namespace

void insert(State& state, const Setup& setup, const Partition& partition, double time) {
  for (std::size_t i = 0; i < setup.insertions.size(); ++i) {
    state.next_id += setup.insertions[i].insert(state.insertions[i], state.bodies, partition,
                                                setup.cell, time, state.next_id);
  }
}

Predicted predict(State& state, const Setup& setup, Machinery& machinery, const StepClock& clock) {
  const LogStage stage(Stage::domain);
  set_tool_velocities(state.bodies, setup.tools, clock.time, clock.dt);
  LoadsOrFault acting = act(state, setup, machinery.comm, clock.time, clock.dt);
  if (!acting.fault.empty()) {
    throw Failure(fmt::format("{}: {}", clock.name(), acting.fault));
  }
  update_boxes(state.bodies, reach_of(state, setup, clock.dt));
  if (setup.joints) cover_joints(state.joints, setup.joints->joints(), state.bodies);
  const int left = machinery.neighbours.holds(state.bodies) ? 0 : 1;
  return {std::move(acting.loads), max_over_ranks(machinery.comm, left) == 0};
}

Predicted distribute(State& state, const Setup& setup, Machinery& machinery,
                     const StepClock& clock) {
  const bool cut =
      machinery.partition.rebalance(state.bodies, work_of(state.bodies), setup.balance);
  if (!cut && machinery.neighbours.may_last()) {
    Predicted predicted = predict(state, setup, machinery, clock);
    if (predicted.in_skins) return predicted;
  }
  send_home(state, machinery);
  return predict(state, setup, machinery, clock);
}

void bring_ghosts(State& state, const Setup& setup, Machinery& machinery, const StepClock& clock,
                  const Predicted& predicted) {
  const LogStage stage(Stage::domain);
  Store& bodies = state.bodies;
  if (predicted.in_skins) {
    const Sync kind = setup.growths.empty() ? Sync::motion : Sync::growth;
    machinery.exchange.refresh(bodies, kind, setup.cell);
    redistribute(state.rows, machinery.comm, machinery.partition, setup.cell);
    return;
  }
  const double widest = machinery.neighbours.begin(bodies, kSkin * state.smallest_radius, clock.dt);
  machinery.exchange.ghosts(bodies, machinery.partition, setup.cell);
  machinery.numbers = number(bodies, machinery.exchange);
  if (machinery.numbers.n_bodies_global > kMaxGrains) {
    throw Failure(fmt::format("{}: {} grains; at most {} can be numbered", clock.name(),
                              machinery.numbers.n_bodies_global, kMaxGrains));
  }
  state.contacts.redistribute(machinery.comm, machinery.partition, setup.cell, widest);
  redistribute(state.rows, machinery.comm, machinery.partition, setup.cell, widest);
}

std::string fault_of_loads_at(State& state, const Setup& setup, MPI_Comm comm, double time,
                              double dt) {
  return act(state, setup, comm, time, dt).fault;
}

Found find(State& state, const Setup& setup, Machinery& machinery, const FindInput& input,
           Predicted predicted, Moved& moved) {
  const auto& [clock, give_up, seconds] = input;
  Found now{std::move(predicted), {}};
  for (int projections = 0;; ++projections) {
    seconds.time(&StageSeconds::domain,
                 [&] { bring_ghosts(state, setup, machinery, clock, now.predicted); });
    now.contacts = seconds.time(&StageSeconds::contacts,
                                [&] { return detect(state, setup, clock.dt, machinery); });
    const bool is_first = state.done.steps == 0 && state.done.parts == 0;
    if (!is_first || projections == kMostProjections) return now;
    const bool any = seconds.time(&StageSeconds::solve, [&] {
      return project_overlaps(state, setup, machinery,
                              {.numbers = machinery.numbers,
                               .contacts = now.contacts,
                               .loads = now.predicted.loads,
                               .clock = clock,
                               .give_up = give_up},
                              moved.from, moved.sum);
    });
    if (!any) return now;
    now.predicted = seconds.time(&StageSeconds::domain,
                                 [&] { return predict(state, setup, machinery, clock); });
  }
}

}  // namespace scree
