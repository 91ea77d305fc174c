#pragma once

#include <mpi.h>

#include <vector>

#include "scree/app/run_config.hpp"
#include "scree/bodies/store.hpp"

namespace scree {

/// This rank's share of the grains that are there at the start. Collective.
/// @throws InputError, on all ranks, for files and groups that are faulty on one.
std::vector<Body> starting_grains(MPI_Comm comm, const RunConfig& config);

}  // namespace scree
