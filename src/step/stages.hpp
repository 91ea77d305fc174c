#pragma once

/// The first stages of a step, each a value that follows from those before: grains with their
/// owners, loads and v_free, ghosts and rows, pairs and contacts. What is then formulated and
/// solved is step/contact_loop.hpp's, what the solution does to the bodies after_step.hpp's.

#include <optional>
#include <string>

#include "scree/base/stage_clock.hpp"
#include "scree/domain/numbering.hpp"
#include "scree/step/contact_loop.hpp"
#include "scree/step/loads.hpp"
#include "scree/step/projection.hpp"
#include "scree/step/step_clock.hpp"

namespace scree {

/// Has the grains come in that are due when the step begins, at the time @p time. Collective.
void insert(State& state, const Setup& setup, const Partition& partition, double time);

/// Each grain to its owner, and what contacts carry to those who will have them. Collective.
void distribute(State& state, const Setup& setup, Machinery& machinery);

/// The bodies as they would go without contacts: v_free, the boxes that hold their paths, ghosts,
/// and rows.
struct Predicted {
  Loads loads;
  Numbering numbers;
};

/// Collective. @throws Failure, on every rank, when what acts on a grain has no value, or the
/// grains are too many.
Predicted predict(State& state, const Setup& setup, Machinery& machinery, const StepClock& clock);

/// Why there is no v_free of a step of @p dt at the time @p time, on any rank; empty where there
/// is. Collective.
std::string fault_of_loads_at(State& state, const Setup& setup, MPI_Comm comm, double time,
                              double dt);

/// The bodies with their contacts.
struct Found {
  Predicted predicted;
  Detected detected;
};

/// What projections of a run's first step leave.
struct Moved {
  std::optional<GrainPlaces> from;  ///< where grains were before, where any was moved
  Projected sum;
};

/// Predicts, and finds contacts; at a run's first step moves the bodies out of overlaps, and finds
/// anew: later overlaps are errors of solves, and a move in each step would hide from the rule of
/// wedges that a body is jammed. Collective.
Found find(State& state, const Setup& setup, Machinery& machinery, const StepClock& clock,
           const GiveUp& give_up, Moved& moved, StageClock& seconds);

}  // namespace scree
