#pragma once

/// The state of a run between two steps as names and numbers, and back.

#include <span>

#include "scree/io/checkpoint.hpp"
#include "scree/step/setup.hpp"
#include "scree/step/state.hpp"

namespace scree {

/// Not collective. @p dt: of a step, s.
CheckpointContent checkpoint_of(const State& state, double dt);

/// Not collective. @throws InputError when a part is missing or of another kind.
State state_of(const CheckpointContent& checkpoint);

/// That the state is one of a run with this setup: as many insertions and tools, which are where their paths have them.
/// Not collective: alike on all ranks. @throws InputError
void refuse_other_setup(const State& state, const Setup& setup,
                        std::span<const Material> materials);

}  // namespace scree
