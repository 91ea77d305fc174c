#include "simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/config/config_hulls.hpp"
#include "checkpoint_state.hpp"
#include "formula_values.hpp"
#include "motion_state.hpp"
#include "run_events.hpp"
#include "scree/base/parallel.hpp"
#include "scree/config/compare.hpp"
#include "scree/config/emit.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/io/state/shape_tables.hpp"
#include "start.hpp"
#include "starting_joints.hpp"

namespace scree {
namespace {

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

/// A run goes on in the stage that it has come to.
void refuse_other_stages(const State& state, const RunConfig& config) {
  const auto there_are = static_cast<std::int64_t>(config.stages.size());
  if (state.stage.ended >= 0 && state.stage.ended <= there_are) return;
  throw InputError(
      fmt::format("stages: the checkpoint is behind {} of them, and the configuration has {}; "
                  "allowed: to change later stages and add to them",
                  state.stage.ended, there_are));
}

}  // namespace

Simulation::Simulation(MPI_Comm comm, const RunConfig& config)
    : config_(config),
      plans_(stage_plans(config, [](RunConfig&) {})),
      machinery_(std::in_place, comm, config_in_force().solver),
      state_(starting_state(comm, config_in_force(), setup())) {
  state_.stage.is_counted = !config.stages.empty();
  give_spans(plans_[stage_].setup.tools, state_.motions);
  refuse_unfit(comm);
  refuse_faulty_loads(state_, setup(), *machinery_);
}

Simulation::Simulation(MPI_Comm comm, const RunConfig& config, const CheckpointContent& checkpoint)
    : config_(config),
      plans_(stage_plans(config,
                         [&checkpoint](RunConfig& one) { adopt_shapes(one, checkpoint.groups); })),
      state_(state_of(checkpoint)) {
  refuse_other_stages(state_, config_);
  state_.bodies.shapes = plans_.front().config.shapes;
  go_on_in_stages();
  begin_ended_motions(checkpoint.configuration);
  enter_stage(comm);
  refuse_unfit(comm);
}

void Simulation::go_on_in_stages() {
  if (config_.stages.empty()) return;
  const double now = state_.done.time(setup().dt);
  if (!state_.stage.is_counted) state_.stage = {.ended = 0, .began = now, .is_counted = true};
  if (std::cmp_equal(state_.stage.ended, config_.stages.size())) return;
  begin_motions(state_, config_.stages[stage_at_hand()], tools_at_hand(), now);
}

void Simulation::begin_ended_motions(const std::string& before) {
  std::vector<std::string> keys;
  for (const Difference& change : differences(before, emit_yaml(config_))) {
    keys.push_back(change.key);
  }
  begin_changed_motions(state_, tools_at_hand(), keys, state_.done.time(setup().dt));
}

bool Simulation::is_at_end() const {
  const std::vector<StageSpec>& stages = config_.stages;
  const bool stages_ended = state_.stage.ended == static_cast<std::int64_t>(stages.size());
  return n_steps() >= config_.time.n_steps() || (!stages.empty() && stages_ended);
}

std::size_t Simulation::stage_at_hand() const {
  return std::min(static_cast<std::size_t>(state_.stage.ended), plans_.size() - 1);
}

void Simulation::enter_stage(MPI_Comm comm) {
  stage_ = stage_at_hand();
  Setup& setup = plans_[stage_].setup;
  in_stage(config_, stage_, [&] {
    take_motions(state_.motions, setup.tools);
    give_spans(setup.tools, state_.motions);
    machinery_.emplace(comm, config_in_force().solver);
    take_setup(state_, setup, config_.materials);
    refuse_faulty_loads(state_, setup, *machinery_);
  });
}

void Simulation::refuse_unfit(MPI_Comm comm) const {
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    in_stage(config_, i, [&] {
      const auto& [config, setup] = plans_[i];
      if (i >= stage_) refuse_formulas_without_value(i);
      if (i >= stage_) refuse_long_joints(config, state_.joints);
      refuse_narrow_growth(config);
      refuse_faulty_growth(comm, state_.bodies, setup);
      refuse_unfit_grains(comm, state_.bodies, setup, config.contact.constraints.way);
    });
  }
}

void Simulation::refuse_formulas_without_value(std::size_t stage) const {
  const auto& [config, setup] = plans_[stage];
  const double now = state_.done.time(setup.dt);
  const bool is_later = stage > stage_;
  const BeginsBetween times{.from = now, .to = is_later ? config_.time.end : now};
  refuse_motors_without_value(config, times);
  // of the stage at hand fields are looked at where grains are
  if (is_later) refuse_fields_without_value(config, setup, state_.smallest_radius, times);
  refuse_loads_without_value(setup, [&](const ToolSpec& tool) {
    return is_later ? config_.stages[stage].moves(tool.name) : !tool.span.has_started();
  });
}

const StepResult& Simulation::step(const GiveUp& give_up) {
  if (stage_at_hand() != stage_) enter_stage(comm());
  clock_.clear();
  result_ = {};  // two problems would not fit where one does
  clock_.time(&StageSeconds::step,
              [&] { result_ = take_step(state_, setup(), *machinery_, clock_, give_up); });
  if (!result_.refusal.empty()) throw StepRefused(result_.refusal);
  return result_;
}

std::vector<std::string> Simulation::pass_events(const Situation& now) {
  std::vector<ToolSpec>& tools = plans_[stage_].setup.tools;
  std::vector<std::string> lines = pass_motion_events(state_, tools, now);
  give_spans(tools, state_.motions);
  if (!is_end_of_stage(state_, config_.stages, now)) return lines;
  const std::size_t next = stage_ + 1;
  const std::vector<ToolSpec> none;
  std::ranges::move(end_stage(state_, config_.stages,
                              next < plans_.size() ? plans_[next].setup.tools : none, now.time),
                    std::back_inserter(lines));
  return lines;
}

const ContactList& Simulation::find_contacts() {
  result_.contacts = contacts_at_rest(state_, setup(), *machinery_);
  return result_.contacts;
}

}  // namespace scree
