#include "scree/app/step_records.hpp"

#include "scree/base/parallel.hpp"
#include "scree/step/energies.hpp"

namespace scree {

StepRecord step_record(const Simulation& simulation, const StepResult& result) {
  const MPI_Comm comm = simulation.comm();
  const Store& store = simulation.store();
  const SolverReport& report = result.impact.report;
  const Energies energy =
      energies(comm, store, simulation.config().gravity, simulation.config().periodic.cell(),
               simulation.config().medium().density);
  const auto total = [comm](std::int64_t local) { return sum_over_ranks(comm, local); };
  StepRecord record;
  record.time = result.time;
  record.step = result.step;
  record.dt = simulation.config().time.dt;
  record.bodies = total(store.n_owned);
  record.contacts = result.figures.potential;
  record.active_contacts = result.figures.closed;
  record.solver = report.solver;
  record.iterations = report.iterations;
  record.inner_iterations = report.inner_iterations;
  record.status = to_string(report.status);
  record.reason = report.reason;
  record.measures = report.measures;
  record.penetration = result.figures.penetration;
  record.compression = result.figures.compression;
  record.kinetic_energy = energy.kinetic;
  record.potential_energy = energy.potential;
  record.field_power = result.load_power.fields;
  record.drag_power = result.load_power.drag;
  for (const Insertion& insertion : simulation.insertions()) {
    record.inserted += insertion.state().count;
    record.inserted_mass += insertion.state().mass;
    record.waiting_mass += insertion.waiting_mass(result.time);
  }
  record.removed = simulation.removed();
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
    const Vec3 travel = simulation.config().time.dt * store.velocity[slot];  // in this step
    records.push_back({.time = result.time,
                       .step = result.step,
                       .tool = simulation.config().tools[slot].name,
                       .force = wrench.force,
                       .torque = wrench.torque - travel.cross(wrench.force),
                       .position = store.position[slot],
                       .velocity = store.velocity[slot],
                       .contacts = wrench.contacts});
  }
  return records;
}

}  // namespace scree
