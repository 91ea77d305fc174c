#pragma once

/// A run in memory: it owns what changes (State), what it was told (Setup) and what it works with
/// (Machinery), and takes steps (step/step.hpp). All members but the plain accessors are
/// collective.

#include <cstdint>
#include <functional>
#include <vector>

#include "scree/app/config/run_config.hpp"
#include "scree/base/stage_clock.hpp"
#include "scree/io/state/checkpoint.hpp"
#include "scree/step/step.hpp"

namespace scree {

/// A step that was not taken: the bodies are as before it, and result() tells of what was tried.
struct StepRefused : Failure {
  using Failure::Failure;
};

class Simulation {
 public:
  Simulation(MPI_Comm comm, const RunConfig& config);
  /// Goes on from @p checkpoint, on any number of ranks. @throws InputError, on all ranks, when it
  /// is not that of a run with these tools, or a tool would jump.
  Simulation(MPI_Comm comm, const RunConfig& config, const CheckpointContent& checkpoint);

  /// One step, or a part of one that had to be cut. @throws StepRefused, on every rank, as
  /// step/step.hpp says; GivenUp, on every rank, where it was: state() is then as it was before the
  /// step. @p give_up: see Goal::give_up.
  const StepResult& step(const GiveUp& give_up = {});

  /// The potential contacts of the bodies as they stand. Nothing moves; slots are those of store().
  const ContactList& find_contacts();

  /// The result of the last step, or of the one that was refused.
  const StepResult& result() const { return result_; }
  const State& state() const { return state_; }
  const Setup& setup() const { return setup_; }
  const Store& store() const { return state_.bodies; }
  double time() const { return state_.done.time(setup_.dt); }
  /// Whole steps that were taken since the start of the run.
  std::int64_t n_steps() const { return state_.done.steps; }
  const Partition& partition() const { return machinery_.partition; }
  const RunConfig& config() const { return config_; }
  const StageClock& clock() const { return clock_; }
  MPI_Comm comm() const { return machinery_.comm; }

 private:
  RunConfig config_;
  Setup setup_;
  Machinery machinery_;
  State state_;
  StageClock clock_;
  StepResult result_;
};

}  // namespace scree
