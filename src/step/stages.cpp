#include "stages.hpp"

#include <fmt/format.h>

#include <span>
#include <utility>

#include "scree/base/log_stage.hpp"
#include "scree/base/parallel.hpp"
#include "scree/sources/groups.hpp"
#include "scree/step/stepper.hpp"

namespace scree {
namespace {

std::span<const double> work_of(const Store& bodies) {
  return std::span(bodies.work).subspan(bodies.first_owned(), bodies.n_owned);
}

/// The loads on the owned grains at a time.
struct LoadsOrFault {
  Loads loads;
  std::string fault;  ///< why there is no v_free, on any rank
};

/// Fills v_free. Collective.
LoadsOrFault fill_v_free(State& state, const Setup& setup, MPI_Comm comm, double t, double dt) {
  LoadsOrFault result;
  try {
    result.loads = loads(state.bodies, setup.fields, setup.flow, t);
    predict(state.bodies, *setup.stepper, result.loads, dt);
  } catch (const InputError& error) {
    result.fault = error.what();
  }
  result.fault = first_text(comm, result.fault);
  return result;
}

}  // namespace

void insert(State& state, const Setup& setup, const Partition& partition, double time) {
  for (std::size_t i = 0; i < setup.insertions.size(); ++i) {
    state.next_id += setup.insertions[i].insert(state.insertions[i], state.bodies, partition,
                                                setup.cell, time, state.next_id);
  }
}

void distribute(State& state, const Setup& setup, Machinery& machinery) {
  machinery.partition.rebalance(state.bodies, work_of(state.bodies), setup.balance);
  machinery.exchange.migrate(state.bodies, machinery.partition.owners(state.bodies));
  state.contacts.redistribute(machinery.comm, machinery.partition, setup.cell);
}

Predicted predict(State& state, const Setup& setup, Machinery& machinery, const StepClock& clock) {
  const LogStage stage(Stage::domain);
  set_tool_velocities(state.bodies, setup.tools, clock.time, clock.dt);
  LoadsOrFault acting = fill_v_free(state, setup, machinery.comm, clock.time, clock.dt);
  if (!acting.fault.empty()) {
    throw Failure(fmt::format("{}: {}", clock.name(), acting.fault));
  }
  update_boxes(state.bodies, reach_of(state, setup, clock.dt));
  machinery.exchange.ghosts(state.bodies, machinery.partition, setup.cell);
  const Numbering numbers = number(state.bodies, machinery.exchange);
  if (numbers.n_bodies_global > kMaxGrains) {
    throw Failure(fmt::format("{}: {} grains; at most {} can be numbered", clock.name(),
                              numbers.n_bodies_global, kMaxGrains));
  }
  return {std::move(acting.loads), numbers};
}

std::string fault_of_loads_at(State& state, const Setup& setup, MPI_Comm comm, double time,
                              double dt) {
  return fill_v_free(state, setup, comm, time, dt).fault;
}

Found find(State& state, const Setup& setup, Machinery& machinery, const StepClock& clock,
           const GiveUp& give_up, Moved& moved, StageClock& seconds) {
  for (int projections = 0;; ++projections) {
    Found now;
    now.predicted = seconds.time(&StageSeconds::domain,
                                 [&] { return predict(state, setup, machinery, clock); });
    now.detected = seconds.time(&StageSeconds::contacts,
                                [&] { return detect(state, setup, clock.dt, machinery); });
    const bool is_first = state.done.steps == 0 && state.done.parts == 0;
    if (!is_first || projections == kMostProjections) return now;
    const bool any = seconds.time(&StageSeconds::solve, [&] {
      return project_overlaps(state, setup, machinery,
                              {.numbers = now.predicted.numbers,
                               .contacts = now.detected.contacts,
                               .loads = now.predicted.loads,
                               .dt = clock.dt,
                               .give_up = give_up},
                              moved.from, moved.sum);
    });
    if (!any) return now;
  }
}

}  // namespace scree
