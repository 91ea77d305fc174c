#pragma once

#include <mpi.h>

#include <span>
#include <vector>

#include "scree/app/config/run_config.hpp"
#include "scree/bodies/store.hpp"
#include "scree/joints/joint_frame.hpp"

namespace scree {

/// The joints of a run where its @p bodies are placed, the same on all ranks. Collective. @throws
/// InputError, on all ranks, for a grain that its group does not have and for two points that are
/// one.
std::vector<JointFrame> starting_joints(MPI_Comm comm, const RunConfig& config,
                                        const Store& bodies);

/// A joint of a grain is found by its shortest image, in each direction that repeats. Not
/// collective.
/// @throws InputError where one of @p joints may be too long for that by the limits of @p config,
/// alike on all ranks
void refuse_long_joints(const RunConfig& config, std::span<const JointFrame> joints);

}  // namespace scree
