#include "step_records.hpp"

#include <array>

#include "scree/base/check.hpp"
#include "scree/step/energies.hpp"

namespace scree {
namespace {

std::optional<WorstRecord> worst_record(const Simulation& simulation, const StepResult& result) {
  if (!result.worst) return std::nullopt;
  const WorstContact& worst = *result.worst;
  if (!worst.is_contact()) {
    return WorstRecord{.is_contact = false, .other = result.worst_cone};
  }
  return WorstRecord{.grain = worst.key.id_a,
                     .other = name_of_body(worst.key.id_b, simulation.config().tools),
                     .where = worst.point};
}

/// Counts of all ranks.
struct Totals {
  std::int64_t bodies;
  std::int64_t ghosts;
  Traffic traffic;
};

/// Collective.
Totals totals_of(const Simulation& simulation, const StepResult& result) {
  const Traffic& sent = result.traffic;
  std::array<std::int64_t, 5> sums{simulation.store().n_owned, result.n_ghosts, sent.messages,
                                   sent.bytes, sent.migrated};
  SCREE_MPI(MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_INT64_T,
                          MPI_SUM, simulation.comm()));
  return {.bodies = sums[0],
          .ghosts = sums[1],
          .traffic = {.messages = sums[2], .bytes = sums[3], .migrated = sums[4]}};
}

}  // namespace

StepRecord step_record(const Simulation& simulation, const StepResult& result) {
  const MPI_Comm comm = simulation.comm();
  const Store& store = simulation.store();
  const SolverReport& report = result.impact.report;
  const Setup& setup = simulation.setup();
  const Energies energy = energies(comm, store, setup.gravity, setup.cell, setup.medium.density);
  const Totals totals = totals_of(simulation, result);
  StepRecord record;
  record.time = result.clock.end;
  record.step = result.clock.step;
  record.dt = result.clock.dt;
  record.stage = simulation.stage();
  record.bodies = totals.bodies;
  record.contacts = result.figures.potential;
  record.active_contacts = result.figures.closed;
  record.solver = report.solver;
  record.iterations = report.iterations;
  record.inner_iterations = report.inner_iterations;
  record.figures = result.constraint_figures;
  record.figures.add(result.impact.figures);
  record.status = to_string(report.status);
  record.reason = code_of(report.attempts);
  record.worst = worst_record(simulation, result);
  record.measures = report.measures;
  record.penetration = result.figures.penetration;
  record.compression = result.compression.largest;
  record.projected = result.projected;
  record.kinetic_energy = energy.kinetic;
  record.potential_energy = energy.potential;
  record.field_power = result.load_power.fields;
  record.drag_power = result.load_power.drag;
  const State& state = simulation.state();
  for (std::size_t i = 0; i < state.insertions.size(); ++i) {
    record.inserted += state.insertions[i].count;
    record.inserted_mass += state.insertions[i].mass;
    record.waiting_mass += setup.insertions[i].waiting_mass(state.insertions[i], result.clock.end);
  }
  record.removed = state.removed;
  record.seconds = simulation.clock().slowest(comm);
  record.imbalance = simulation.partition().measured_imbalance();
  record.ghosts = totals.ghosts;
  record.migrated = totals.traffic.migrated;
  record.messages = totals.traffic.messages;
  record.bytes = totals.traffic.bytes;
  return record;
}

std::vector<ToolRecord> tool_records(const Simulation& simulation, const StepResult& result) {
  const Store& store = simulation.store();
  std::vector<ToolRecord> records;
  for (std::size_t slot = 0; slot < result.wrenches.size(); ++slot) {
    const Wrench& wrench = result.wrenches[slot];
    const Vec3 travel = result.clock.dt * store.velocity[slot];  // in this step
    records.push_back({.time = result.clock.end,
                       .step = result.clock.step,
                       .dt = result.clock.dt,
                       .tool = simulation.config().tools[slot].name,
                       .force = wrench.force,
                       .torque = wrench.torque - travel.cross(wrench.force),
                       .position = store.position[slot],
                       .velocity = store.velocity[slot],
                       .contacts = wrench.contacts});
  }
  return records;
}

Situation situation_of(const StepRecord& record, std::span<const ToolRecord> tools) {
  Situation now{.time = record.time, .kinetic_energy = record.kinetic_energy, .tools = {}};
  for (const ToolRecord& tool : tools) {
    now.tools.push_back({.name = tool.tool,
                         .force = tool.force,
                         .torque = tool.torque,
                         .position = tool.position,
                         .velocity = tool.velocity});
  }
  return now;
}

}  // namespace scree
