#pragma once

#include <mpi.h>

#include <vector>

#include "scree/app/config/run_config.hpp"
#include "scree/bodies/store.hpp"
#include "scree/joints/joint_frame.hpp"

namespace scree {

/// The joints of a run where its @p bodies are placed, the same on all ranks. Collective. @throws
/// InputError, on all ranks, for a grain that its group does not have, for two points that are one,
/// and where a joint of a grain is too long for the periodic cell.
std::vector<JointFrame> starting_joints(MPI_Comm comm, const RunConfig& config,
                                        const Store& bodies);

}  // namespace scree
