#pragma once

/// Whether `--restart latest` may begin a run anew that has no checkpoint.

#include <mpi.h>

#include <string>

#include "scree/app/config/run_config.hpp"
#include "scree/io/run_folder/run_folder.hpp"

namespace scree {

/// True where @p folder holds the beginning of this run and no more than its first checkpoint would
/// have kept: what is lost then is lost in any case. False where it has no run.yaml: whether there
/// is a run else, RunFolder::create sees. Collective. @throws InputError, on all ranks, where more
/// would be removed: run.yaml is of another configuration, or the folder holds steps after the
/// first checkpoint was due, or the last step.
bool may_begin_anew(MPI_Comm comm, const RunFolder& folder, const RunConfig& config,
                    const std::string& run_yaml);

}  // namespace scree
