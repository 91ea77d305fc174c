#pragma once

/// Checkpoints: all that a run needs to go on, in one sealed HDF5 file (io/seal.hpp).
///
///     /                  attributes: program, version, git_hash, kind, ranks
///     /configuration     text: the full effective run.yaml
///     /state             attributes: the named numbers of the state
///     /GROUP/ARRAY       the named arrays, `rows x width`, with the attribute `unit`
///
/// What the state is, the simulation says (app/simulation.hpp); here it is names and numbers. It
/// reads back bit for bit. A group whose rows lie over the ranks is written rank by rank and may be
/// read on any number of ranks, each of which gets a share of the rows in their order; a common
/// group is the same on every rank before and after.

#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "scree/io/number_array.hpp"

namespace scree {

/// Arrays that have the same rows.
struct StateGroup {
  std::string name;
  bool common = false;  ///< the same on every rank; else this rank's rows
  std::vector<NumberArray> arrays = {};
};

struct CheckpointContent {
  std::string configuration = {};  ///< the text of run.yaml
  std::map<std::string, std::int64_t> integers = {};
  std::map<std::string, double> reals = {};
  std::vector<StateGroup> groups = {};

  // These throw InputError when there is none of that name.
  std::int64_t integer(const std::string& name) const;
  double real(const std::string& name) const;
  const std::vector<NumberArray>& group(const std::string& name) const;
};

/// The numbers of the array @p name of @p arrays. @throws InputError when it is missing, or of
/// another type or width.
template <class T>
const std::vector<T>& numbers_of(const std::vector<NumberArray>& arrays, const std::string& name,
                                 int width);

/// Writes @p content to @p path, whole or not at all (io/whole_file.hpp). Collective.
/// @throws Failure on all ranks.
void write_checkpoint(MPI_Comm comm, const std::filesystem::path& path,
                      const CheckpointContent& content);

/// Reads what write_checkpoint wrote, on any number of ranks. Collective.
/// @pre fault_of_seal() found none. @throws InputError when it is not a checkpoint's content.
CheckpointContent read_checkpoint(MPI_Comm comm, const std::filesystem::path& path);

}  // namespace scree
