#pragma once

/// Checkpoints: all that a run needs to go on, in one sealed HDF5 file (io/run_folder/seal.hpp).
///
///     /                  attributes: program, version, git_hash, kind, ranks
///     /configuration     text: the full effective run.yaml
///     /state             attributes: the named numbers of the state
///     /GROUP/ARRAY       the named arrays, `rows x width`, with the attribute `unit`
///
/// The simulation says what the state is (app/run/simulation.hpp); here it is names and numbers. It
/// reads back bit for bit, on any number of ranks (io/state/state_group.hpp).

#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "scree/io/state/state_group.hpp"

namespace scree {

struct CheckpointContent {
  std::string configuration = {};  ///< the text of run.yaml
  std::map<std::string, std::int64_t> integers = {};
  std::map<std::string, double> reals = {};
  std::vector<StateGroup> groups = {};
  /// Large groups that are to be written, of a state that must live as long; read they are among
  /// `groups`.
  std::vector<StateRows> rows = {};

  // These throw InputError when there is none of that name.
  std::int64_t integer(const std::string& name) const;
  double real(const std::string& name) const;
  const std::vector<NumberArray>& group(const std::string& name) const;
};

/// Writes @p content to @p path, whole or not at all (io/run_folder/whole_file.hpp). Collective.
/// @throws Failure on all ranks.
void write_checkpoint(MPI_Comm comm, const std::filesystem::path& path,
                      const CheckpointContent& content);

/// Reads what write_checkpoint wrote, on any number of ranks. Collective.
/// @pre fault_of_seal() found none. @throws InputError when it is not a checkpoint's content.
CheckpointContent read_checkpoint(MPI_Comm comm, const std::filesystem::path& path);

}  // namespace scree
