#pragma once

#include <mpi.h>

#include "scree/domain/exchange.hpp"
#include "scree/step/contact_loop.hpp"

namespace scree {

/// Finds how far the springs of @p step are compressed at its end, and has it not be converged
/// where that is more than setup.max_compression: laws of contact are those of small deformations.
/// Collective. @pre ghosts are as Exchange::ghosts() left them
void judge_compression(const State& state, const Setup& setup, MPI_Comm comm, Exchange& exchange,
                       double dt, SolvedContacts& step);

}  // namespace scree
