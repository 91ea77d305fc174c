#include "simulation.hpp"

#include <fmt/format.h>

#include <utility>

#include "app/config/config_hulls.hpp"
#include "checkpoint_state.hpp"
#include "scree/base/parallel.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/io/state/hull_tables.hpp"
#include "start.hpp"

namespace scree {
namespace {

RunConfig with_files(RunConfig config) {
  config.load_files();
  return config;
}

/// The configuration as a run of this checkpoint takes it: its polyhedra are those of the bodies.
RunConfig with_shapes_of(const CheckpointContent& checkpoint, RunConfig config) {
  adopt_hulls(config, library_of(checkpoint.groups));
  return config;
}

/// Formulas that have no value where grains are at the start are refused before anything is
/// written.
void refuse_faulty_loads(State& state, const Setup& setup, const Machinery& machinery) {
  const std::string fault = fault_of_loads(state, setup, machinery);
  if (!fault.empty()) throw InputError(fault);
}

/// Files of grains and checkpoints may have shapes that the configuration does not name.
void refuse_unfit_grains(MPI_Comm comm, const Store& bodies, const Setup& setup,
                         const std::string& way) {
  std::string fault;
  for (std::int32_t slot = bodies.first_owned(); slot < bodies.end_owned(); ++slot) {
    fault = setup.constraints->fault_of_grain(bodies.shape[slot]);
    if (fault.empty()) continue;
    fault = fmt::format("contact.constraints: {}: body {}: {}", way, bodies.id[slot], fault);
    break;
  }
  refuse_together(comm, fault);
}

}  // namespace

Simulation::Simulation(MPI_Comm comm, const RunConfig& config)
    : config_(with_files(config)),
      setup_(setup_of(config_)),
      machinery_(comm, config_.solver),
      state_(starting_state(comm, config_, setup_)) {
  refuse_faulty_growth(comm, state_.bodies, setup_);
  refuse_unfit_grains(comm, state_.bodies, setup_, config_.contact.constraints.way);
  refuse_faulty_loads(state_, setup_, machinery_);
}

Simulation::Simulation(MPI_Comm comm, const RunConfig& config, const CheckpointContent& checkpoint)
    : config_(with_shapes_of(checkpoint, with_files(config))),
      setup_(setup_of(config_)),
      machinery_(comm, config_.solver),
      state_(state_of(checkpoint)) {
  take_setup(state_, setup_, config_.materials);
  refuse_faulty_growth(comm, state_.bodies, setup_);
  refuse_unfit_grains(comm, state_.bodies, setup_, config_.contact.constraints.way);
  refuse_faulty_loads(state_, setup_, machinery_);
}

const StepResult& Simulation::step(const GiveUp& give_up) {
  clock_.clear();
  result_ = {};  // two problems would not fit where one does
  clock_.time(&StageSeconds::step,
              [&] { result_ = take_step(state_, setup_, machinery_, clock_, give_up); });
  if (!result_.refusal.empty()) throw StepRefused(result_.refusal);
  return result_;
}

const ContactList& Simulation::find_contacts() {
  result_.contacts = ContactList(contacts_at_rest(state_, setup_, machinery_));
  return result_.contacts;
}

}  // namespace scree
