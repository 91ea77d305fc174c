#pragma once

/// Where a run goes on from: which checkpoint, and whether the configuration lets it.

#include <mpi.h>

#include <filesystem>
#include <string>
#include <vector>

#include "scree/io/run_folder/run_folder.hpp"
#include "scree/io/state/checkpoint.hpp"

namespace scree {

struct Restart {
  std::filesystem::path file;  ///< absolute; empty: there is no checkpoint yet
  CheckpointContent state;
  std::vector<std::string> refused;  ///< why later checkpoints are not used, a line each
  std::vector<std::string> changes;  ///< what changed in the configuration, a line each
  std::vector<std::string> changed_keys;
};

/// The checkpoint that @p asked names, or, for `latest`, the newest of @p folder that is whole and
/// whose run is that of @p run_yaml, the effective configuration. What may change is all but the
/// grains and insertions, the materials, the time step, and the tools' number, names, shapes and
/// materials.
///
/// `latest` in a folder without checkpoints is the beginning: of a run that ended before it wrote
/// its first, or was never started. Collective. @throws InputError, on all ranks, that tells why
/// each checkpoint cannot be used.
Restart find_restart(MPI_Comm comm, const std::string& asked, const RunFolder& folder,
                     const std::string& run_yaml);

}  // namespace scree
