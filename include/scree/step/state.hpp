#pragma once

/// The state that changes from step to step: exactly what a checkpoint holds
/// (app/run/checkpoint_state.hpp).

#include <cstdint>
#include <limits>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/domain/insertion.hpp"
#include "scree/joints/joint_frame.hpp"
#include "scree/sources/removal.hpp"
#include "scree/step/contact_memory.hpp"
#include "scree/step/row_memory.hpp"
#include "scree/step/step_clock.hpp"
#include "scree/tools/motion_span.hpp"

namespace scree {

/// Recursions and seconds that the parts of the step at hand have taken so far, whether they were
/// taken or cut again; of one part alone where lengths are chosen.
struct SpentInStep {
  std::int64_t recursions = 0;
  double seconds = 0.0;  ///< of solves, on the slowest rank; of this run alone
};

/// The stage of the run at hand.
struct StageCount {
  std::int64_t ended = 0;   ///< stages before it
  double began = 0.0;       ///< s
  bool is_counted = false;  ///< the run has stages
};

struct State {
  Store bodies;
  ContactMemory contacts;                  ///< what they carry from the last step
  RowMemory rows;                          ///< what other sources of rows carry from it
  std::vector<JointFrame> joints;          ///< where joints are; the same on all ranks
  std::vector<InsertionState> insertions;  ///< of each of Setup::insertions
  Removed removed;                         ///< of all ranks, since the start of the run
  std::int64_t next_id = 0;                ///< of the next grain that comes in
  StageCount stage;                        ///< of the run, where it has stages
  std::vector<MotionSpan> motions;         ///< of each tool
  double smallest_radius = 0.0;            ///< m, of all grains that there are or may come in
  std::int64_t infeasible_steps = 0;       ///< without a solution, running (step/wedges.hpp)
  StepCount done;
  double last_dt = 0.0;  ///< of the step before, or its part, s; 0 before the first
  /// The longest that the next step may be where lengths are chosen (step/step_length.hpp), s.
  double longest_next = std::numeric_limits<double>::infinity();
  SpentInStep spent;
};

}  // namespace scree
