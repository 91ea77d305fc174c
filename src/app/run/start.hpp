#pragma once

/// From a configuration to the setup of its steps, and to the state that a run begins with.

#include <mpi.h>

#include "scree/app/config/run_config.hpp"
#include "scree/step/setup.hpp"
#include "scree/step/state.hpp"

namespace scree {

/// @pre the files that motions name are loaded. Not collective. @throws InputError
Setup setup_of(const RunConfig& config);

/// Tools at their places and this rank's share of the grains that are there at the start.
/// Collective.
/// @throws InputError, on all ranks, for grains that cannot be, or a periodic cell that is too
/// narrow for them.
State starting_state(MPI_Comm comm, const RunConfig& config, const Setup& setup);

/// @throws InputError where grains grow longer than the periodic cell is wide enough for. Not
/// collective, alike on all ranks.
void refuse_narrow_growth(const RunConfig& config);

/// @throws InputError, on all ranks, where a grain of any cannot grow as it is to. Collective.
void refuse_faulty_growth(MPI_Comm comm, const Store& bodies, const Setup& setup);

}  // namespace scree
