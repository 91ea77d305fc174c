#pragma once

/// The folder of a run and the names in it (DESIGN, section 6):
///
///     run.yaml  run.log  steps.csv  tools.csv  run.xdmf  snapshots/*.hdf  checkpoints/*.h5
///     problems/*.hdf5

#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "scree/io/output_options.hpp"

namespace scree {

class RunFolder {
 public:
  /// Makes the folder on rank 0 and writes run.yaml, the effective configuration. Collective.
  /// @throws InputError, on all ranks, when the folder holds a run and @p overwrite is false, or
  /// cannot be made or written. With @p overwrite the files of that run, and no others, are removed.
  static RunFolder create(MPI_Comm comm, const std::filesystem::path& root,
                          const std::string& run_yaml, bool overwrite);

  /// The folder by that name as it is. Not collective.
  explicit RunFolder(std::filesystem::path root);

  const std::filesystem::path& root() const { return root_; }  ///< absolute
  std::filesystem::path config() const { return root_ / "run.yaml"; }
  std::filesystem::path log() const { return root_ / "run.log"; }
  std::filesystem::path steps() const { return root_ / "steps.csv"; }
  std::filesystem::path tools() const { return root_ / "tools.csv"; }
  std::filesystem::path xdmf() const { return root_ / "run.xdmf"; }
  std::filesystem::path snapshots() const { return root_ / "snapshots"; }
  std::filesystem::path checkpoints() const { return root_ / "checkpoints"; }
  std::filesystem::path problems() const { return root_ / "problems"; }
  /// Of the state after @p step steps.
  std::filesystem::path snapshot(std::int64_t step) const;

 private:
  std::filesystem::path root_;
};

/// The folder that a run named @p name writes to: `output.directory`, relative to the folder of its
/// YAML file, or output/NAME in the present folder. Not collective.
std::filesystem::path run_directory(const OutputOptions& options, const std::string& name,
                                    const std::filesystem::path& config_file);

/// The name beside @p path under which it is written until it is whole: PATH.part.
std::filesystem::path part_of(const std::filesystem::path& path);

/// Puts @p text under @p path at once: written beside it, flushed, then renamed. Not collective.
/// @throws Failure; what was under the name is then untouched.
void write_whole(const std::filesystem::path& path, const std::string& text);

/// Flushes @p temporary to the disk and renames it to @p path. Not collective. @throws Failure.
void publish(const std::filesystem::path& temporary, const std::filesystem::path& path);

}  // namespace scree
