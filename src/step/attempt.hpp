#pragma once

/// What stands around the stages of a step: whether a part of it is to be cut, or its result to be
/// refused, and how the bodies are taken back.

#include <optional>
#include <string>
#include <vector>

#include "scree/step/step.hpp"
#include "stages.hpp"

namespace scree {

/// Why a part of a step is to be cut.
enum class Cut { none, length, travel, unsolved, loss };

/// The first part of @p clock that resolves what the contacts @p found do, as Setup::length says,
/// in steps up to @p resolved.
StepClock resolving(const Setup& setup, const StepClock& clock, double resolved);

/// The longest step, of @p dt in whole, that by @p length resolves what the contacts do that are
/// found on all ranks, s. Collective.
double longest_resolving(const StepLength& length, const State& state, double dt, MPI_Comm comm,
                         const StepClock& clock, ContactView found);

/// Whether the contacts that are found bring a grain further than a step of that length resolves.
/// Collective. @throws Failure where it cannot be cut any more.
bool closes_too_far(const State& state, const Setup& setup, MPI_Comm comm, const StepClock& clock,
                    const ContactList& found);

/// Whether the part of @p step that was solved does, or takes a body into another. Collective.
/// @throws Failure likewise.
bool travels_too_far(const State& state, const Setup& setup, Machinery& machinery,
                     const StepResult& step);

/// How often a part was cut.
struct CutsOfPart {
  int chosen = 0;  ///< for Setup::length
  int forced = 0;  ///< otherwise than since it was not solved
};

/// Those of the part that @p clock names before it is tried: where lengths are chosen all of its
/// depth, but not what lies below the shortest, so that parts that stay unsolved one after another
/// are not cut without end.
CutsOfPart cuts_so_far(const Setup& setup, const StepClock& clock);

/// Whether the part is to be cut again. No length of step solves what has no solution; what impacts
/// lose for the length of the step has it cut to 1/64 of what was chosen at the shortest.
bool is_to_be_cut(Cut cut, const StepResult& step, const Setup& setup, const CutsOfPart& cuts);

/// Where to look when the step was not solved. Collective.
std::optional<WorstContact> worst_of(const State& state, const SolvedContacts& step);

/// Why the result is not taken, before anything of it reaches the bodies; empty where it is.
/// Counts the steps in which grains stay wedged. Collective.
std::string refusal_of(State& state, const Setup& setup, MPI_Comm comm, const StepResult& step);

/// The values that a step changes before it is solved.
struct Before {
  std::vector<Velocities> tools;  ///< empty before the first step
  Moved moved = {};
  std::vector<InsertionState> insertions;
  std::int64_t next_id = 0;
  SpentInStep spent;
};
Before before_step(const State& state);

/// Gives the tools the velocities that they had before a step that is not taken; none before the
/// first step.
void restore_tools(State& state, std::span<const Velocities> velocities);
/// Has a step that is refused leave the bodies where they were.
void refuse(State& state, const Before& before);
/// Has a step that was given up leave nothing behind: the grains that came in for it leave, too.
void take_back(State& state, Before before);

/// The ids of the bodies of this rank's @p n_rows block rows of the problem, in their order.
std::vector<std::int64_t> ids_of_rows(const Store& bodies, std::int64_t n_rows);

}  // namespace scree
