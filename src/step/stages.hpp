#pragma once

/// The first stages of a step, each a value that follows from those before: loads and v_free,
/// grains with their owners, ghosts and rows, pairs and contacts. What is then formulated and
/// solved is step/contact_loop.hpp's, what the solution does to the bodies after_step.hpp's.
///
/// Owners, ghosts and rows are kept while no body leaves its skin, or those that do can have others
/// (contact/neighbour_list.hpp), which v_free tells: so it is found first, and again where grains
/// have changed their owners.

#include <optional>
#include <string>
#include <vector>

#include "scree/base/stage_clock.hpp"
#include "scree/step/contact_loop.hpp"
#include "scree/step/loads.hpp"
#include "scree/step/projection.hpp"
#include "scree/step/step_clock.hpp"

namespace scree {

/// Has the grains come in that are due when the step begins, at the time @p time. Collective.
void insert(State& state, const Setup& setup, const Partition& partition, double time);

/// The owned grains and the free tools as they would go without contacts: they have their
/// Store::free_velocity, and the boxes that hold their paths.
struct Predicted {
  Loads loads;
  Listing listing = Listing::anew;  ///< on all ranks, for the pairs of the step
  NewSkins new_skins;               ///< of this rank's bodies, where the list is mended
};

/// Collective. @throws Failure, on every rank, when what acts on a grain has no value.
Predicted predict(State& state, const Setup& setup, Machinery& machinery, const StepClock& clock);

/// Each grain with its owner, predicted: while the pair list serves on, and the load is even, they
/// stay where they are. Collective. @throws as predict()
Predicted distribute(State& state, const Setup& setup, Machinery& machinery,
                     const StepClock& clock);

/// Ghosts of what was @p predicted: they move with their owners while the pair list serves on; else
/// skins, ghosts and rows are made anew. Where skins are new, what contacts carry goes to those who
/// will have them. Collective. @throws Failure, on every rank, when the grains are too many.
void bring_ghosts(State& state, const Setup& setup, Machinery& machinery, const StepClock& clock,
                  const Predicted& predicted);

/// Why there is no v_free of a step of @p dt at the time @p time, on any rank; empty where there
/// is. Collective.
std::string fault_of_loads_at(State& state, const Setup& setup, MPI_Comm comm, double time,
                              double dt);

/// The bodies with their contacts.
struct Found {
  Predicted predicted;
  ContactList contacts;
};

/// What projections of a run's first step leave.
struct Moved {
  std::optional<BodyPlaces> from;  ///< where bodies were before, where any was moved
  Projected sum;
};

/// Input of the search for contacts besides the bodies.
struct FindInput {
  const StepClock& clock;
  const GiveUp& give_up;  ///< see Goal::give_up
  StageClock& seconds;
};

/// Finds the contacts of what was @p predicted; at a run's first step moves the bodies out of
/// overlaps, and finds anew: later overlaps are errors of solves, and a move in each step would
/// hide from the rule of wedges that a body is jammed. Collective.
Found find(State& state, const Setup& setup, Machinery& machinery, const FindInput& input,
           Predicted predicted, Moved& moved);

}  // namespace scree
