#include "step_records.hpp"

#include "scree/base/parallel.hpp"
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

}  // namespace

StepRecord step_record(const Simulation& simulation, const StepResult& result) {
  const MPI_Comm comm = simulation.comm();
  const Store& store = simulation.store();
  const SolverReport& report = result.impact.report;
  const Setup& setup = simulation.setup();
  const Energies energy = energies(comm, store, setup.gravity, setup.cell, setup.medium.density);
  const auto total = [comm](std::int64_t local) { return sum_over_ranks(comm, local); };
  StepRecord record;
  record.time = result.clock.end;
  record.step = result.clock.step;
  record.dt = result.clock.dt;
  record.stage = simulation.stage();
  record.bodies = total(store.n_owned);
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
  record.ghosts = total(result.n_ghosts);
  record.migrated = total(result.traffic.migrated);
  record.messages = total(result.traffic.messages);
  record.bytes = total(result.traffic.bytes);
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
