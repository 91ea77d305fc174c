#pragma once

/// The simulation owns everything; its step fits on one screen (simulation.cpp) and is the way that
/// DESIGN section 2 describes. All members are collective.

#include <cstdint>
#include <string>
#include <vector>

#include "scree/app/run_config.hpp"
#include "scree/app/stage_clock.hpp"
#include "scree/bodies/materials.hpp"
#include "scree/bodies/removal.hpp"
#include "scree/bodies/store.hpp"
#include "scree/contact/contact.hpp"
#include "scree/contact/neighbour_list.hpp"
#include "scree/contact/reach.hpp"
#include "scree/domain/exchange.hpp"
#include "scree/domain/insertion.hpp"
#include "scree/domain/numbering.hpp"
#include "scree/domain/partition.hpp"
#include "scree/io/checkpoint.hpp"
#include "scree/problem/contact_problem.hpp"
#include "scree/solver/driver.hpp"
#include "scree/step/contact_figures.hpp"
#include "scree/step/contact_memory.hpp"
#include "scree/step/impact.hpp"
#include "scree/step/loads.hpp"
#include "scree/step/tool_forces.hpp"
#include "scree/step/wedge_watch.hpp"

namespace scree {

/// What a step leaves for those who look at it. Valid until the next step. Slots in the contacts are
/// those of the store during the step, before bodies were removed.
struct StepResult {
  std::int64_t step = 0;  ///< number of the step, from 1
  double time = 0.0;      ///< s, at the end of the step
  std::vector<Contact> contacts;
  std::vector<std::int64_t> body_ids;     ///< of this rank's blocks of the problem, six dofs each
  std::vector<ContactHistory> histories;  ///< of each contact
  PosedStep posed;
  petsc::Vector guess;  ///< where the solve started
  ImpactResult impact;
  ContactFigures figures;
  LoadPower load_power;
  std::vector<Wrench> wrenches;  ///< on each tool, about its position at the start of the step
  Traffic traffic;               ///< of this rank in the step
  std::int64_t n_ghosts = 0;     ///< of this rank in the step
};

/// A step that was not taken: the bodies are as before it, and result() tells of what was tried.
struct StepRefused : Failure {
  using Failure::Failure;
};

class Simulation {
 public:
  Simulation(MPI_Comm comm, const RunConfig& config);
  /// Goes on from @p state, on any number of ranks. @throws InputError, on all ranks, when it is not
  /// that of a run with these tools, or a tool would jump.
  Simulation(MPI_Comm comm, const RunConfig& config, const CheckpointContent& state);

  /// @throws StepRefused, on every rank, when the velocities after the step are not finite, the solve
  /// did not converge and solver.on_not_converged says `abort`, or a grain stays wedged (step/wedge_watch.hpp).
  const StepResult& step();

  /// The potential contacts of the bodies as they stand. Nothing moves; slots are those of store().
  const std::vector<Contact>& find_contacts();

  /// What the last step gave, or the one that was refused.
  const StepResult& result() const { return result_; }
  /// All that the next step starts from and the configuration does not give.
  CheckpointContent state() const;

  double time() const { return static_cast<double>(n_steps_) * config_.time.dt; }
  std::int64_t n_steps() const { return n_steps_; }
  /// The grains that all ranks removed since the start of the run.
  const Removed& removed() const { return removed_; }
  const std::vector<Insertion>& insertions() const { return insertions_; }
  const Store& store() const { return store_; }
  const Partition& partition() const { return partition_; }
  const RunConfig& config() const { return config_; }
  const StageClock& clock() const { return clock_; }
  MPI_Comm comm() const { return comm_; }

 private:
  struct Empty {};
  Simulation(MPI_Comm comm, const RunConfig& config, Empty);  ///< no bodies yet

  void append_grains();
  void insert_grains();
  void restore_bodies(const CheckpointContent& state);
  void refuse_jumps() const;
  void set_smallest_radius(double radius);
  void refuse_faulty_loads();
  std::string load_and_predict();
  void distribute();
  void detect();
  void pose_problem();
  void resolve_contacts();
  void refuse_bad_result() const;
  void refuse_wedged_grain();
  void move();
  void weigh();
  void end_insertions();
  void remove_grains();

  MPI_Comm comm_;
  RunConfig config_;
  ContactLaws laws_;
  Store store_;
  Medium medium_;
  Flow flow_;
  std::vector<ForceField> force_fields_;
  Loads loads_;  ///< of the step
  Reach reach_;
  Partition partition_;
  Exchange exchange_;
  Numbering numbers_;
  SolverDriver solver_;
  NeighbourList neighbours_;
  ContactMemory memory_;
  WedgeWatch wedges_;
  StageClock clock_;
  StepResult result_;
  double recovery_speed_ = 0.0;  ///< m/s
  std::vector<Insertion> insertions_;
  std::vector<double> work_;  ///< of each owned grain, for the partition
  std::int64_t n_steps_ = 0;
  Removed removed_;
  std::int64_t next_id_ = 0;  ///< of the next grain that comes in
};

}  // namespace scree
