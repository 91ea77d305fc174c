#pragma once

/// The state of a run between two steps as names and numbers, and back.

#include <span>

#include "scree/io/state/checkpoint.hpp"
#include "scree/step/setup.hpp"
#include "scree/step/state.hpp"

namespace scree {

/// The content of a checkpoint of @p state, which must live as long; @p dt is the length of a step,
/// s. Not collective.
CheckpointContent checkpoint_of(const State& state, double dt);

/// The state that @p checkpoint, which was read, holds. Not collective. @throws InputError when a
/// part is missing or of another kind.
State state_of(const CheckpointContent& checkpoint);

/// Has @p state go on under this setup: prescribed tools are where their paths lead, free ones go
/// on from where they are, with the mass that the setup says, and stand still where they are held.
/// Not collective: alike on all ranks.
/// @throws InputError for another number of insertions or tools, or a tool that would jump
void take_setup(State& state, const Setup& setup, std::span<const Material> materials);

}  // namespace scree
