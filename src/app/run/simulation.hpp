#pragma once

/// A run in memory: it owns what changes (State), what it was told (Setup, one a stage) and what it
/// works with (Machinery), and takes steps (step/step.hpp). All members but the plain accessors are
/// collective.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scree/app/config/run_config.hpp"
#include "scree/base/stage_clock.hpp"
#include "scree/events/situation.hpp"
#include "scree/io/state/checkpoint.hpp"
#include "scree/step/step.hpp"
#include "stage_plans.hpp"

namespace scree {

/// A step that was not taken: the bodies are as before it, and result() tells of what was tried.
struct StepRefused : Failure {
  using Failure::Failure;
};

class Simulation {
 public:
  /// @throws InputError, on all ranks, also for what a later stage could not be.
  Simulation(MPI_Comm comm, const RunConfig& config);
  /// Goes on from @p checkpoint, on any number of ranks. @throws InputError, on all ranks, when it
  /// is not that of a run with these tools and stages, or a tool would jump.
  Simulation(MPI_Comm comm, const RunConfig& config, const CheckpointContent& checkpoint);

  /// One step, or a part of one that had to be cut. The setup of a stage that has begun is taken
  /// first: nothing else does so, so that a step that is looked at is that of its own stage.
  /// @throws StepRefused, on every rank, as step/step.hpp says; GivenUp, on every rank, where it
  /// was: state() is then as it was before the step. @p give_up: see Goal::give_up.
  const StepResult& step(const GiveUp& give_up = {});

  /// Has motions start and stop and the stage at hand end where their conditions hold @p now, at
  /// the end of a whole step: then the state is that of the next stage. Call it once a step, before
  /// the state is kept. @returns what is to be told of it, a line each. Not collective, alike on
  /// all ranks.
  std::vector<std::string> pass_events(const Situation& now);

  /// The potential contacts of the bodies as they stand. Nothing moves; slots are those of store().
  const ContactList& find_contacts();

  /// The result of the last step, or of the one that was refused.
  const StepResult& result() const { return result_; }
  const State& state() const { return state_; }
  /// The setup of the stage in which the last step was taken.
  const Setup& setup() const { return plans_[stage_].setup; }
  /// The tools as the stage has them that the run has come to.
  const std::vector<ToolSpec>& tools_at_hand() const { return plans_[stage_at_hand()].setup.tools; }
  const Store& store() const { return state_.bodies; }
  double time() const { return state_.done.time(setup().dt); }
  /// Whole steps that were taken since the start of the run.
  std::int64_t n_steps() const { return state_.done.steps; }
  /// Whether time.end has come, or the last stage has ended.
  bool is_at_end() const;
  /// Number of the stage in which the last step was taken, from 1; 1 where there are none.
  std::int64_t stage() const { return static_cast<std::int64_t>(stage_) + 1; }
  const Partition& partition() const { return machinery_->partition; }
  /// The configuration of the run, before what stages set.
  const RunConfig& config() const { return config_; }
  /// The configuration of the stage in which the last step was taken.
  const RunConfig& config_in_force() const { return plans_[stage_].config; }
  const StageClock& clock() const { return clock_; }
  MPI_Comm comm() const { return machinery_->comm; }

 private:
  /// The stage that comes next: that of the state, or after the last one that.
  std::size_t stage_at_hand() const;
  /// Begins stages where the run had none before its checkpoint, and the motions that the stage at
  /// hand gives and has not begun.
  void go_on_in_stages();
  /// Begins the motions that are over and that the configuration gives anew since that of the
  /// checkpoint, @p before.
  void begin_ended_motions(const std::string& before);
  /// Takes the setup of the stage at hand, as a restart there does.
  void enter_stage(MPI_Comm comm);
  void refuse_unfit(MPI_Comm comm) const;
  /// Not collective, alike on all ranks.
  void refuse_formulas_without_value(std::size_t stage) const;

  RunConfig config_;
  std::vector<StagePlan> plans_;  ///< of each stage; one where there are none
  std::size_t stage_ = 0;         ///< whose setup is in force
  std::optional<Machinery> machinery_;
  State state_;
  StageClock clock_;
  StepResult result_;
};

}  // namespace scree
