#pragma once

/// The folder of a run and the names in it (DESIGN, section 6):
///
///     run.yaml  run.log  steps.csv  tools.csv  run.xdmf  snapshots/*.hdf  checkpoints/*.h5
///     problems/*.hdf5  fields/*.hdf  fields/*.xdmf  fields/*.csv
///
/// and, while a run works there, run.lock (io/run_folder/run_lock.hpp).

#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/io/run_folder/output_options.hpp"

namespace scree {

class RunFolder {
 public:
  /// Makes the folder on rank 0 and writes run.yaml, the effective configuration. Collective.
  /// @throws InputError, on all ranks, when the folder holds a file of a run and @p overwrite is false, is not a run's
  /// (fault_of_place), or cannot be made or written. With @p overwrite the files of that run, and no others, are removed.
  static RunFolder create(MPI_Comm comm, const std::filesystem::path& root,
                          const std::string& run_yaml, bool overwrite);

  /// The folder of a run that goes on: run.yaml is replaced, all else left as it is. Collective.
  /// @throws InputError, on all ranks, when it is not a run's (fault_of_place), or cannot be written.
  static RunFolder take_up(MPI_Comm comm, const std::filesystem::path& root,
                           const std::string& run_yaml);

  /// The folder by that name as it is. Not collective.
  explicit RunFolder(std::filesystem::path root);

  const std::filesystem::path& root() const { return root_; }  ///< absolute
  std::filesystem::path config() const { return root_ / "run.yaml"; }
  std::filesystem::path log() const { return root_ / "run.log"; }
  std::filesystem::path steps() const { return root_ / "steps.csv"; }
  std::filesystem::path tools() const { return root_ / "tools.csv"; }
  std::filesystem::path xdmf() const { return root_ / "run.xdmf"; }
  std::filesystem::path lock() const { return root_ / "run.lock"; }
  std::filesystem::path snapshots() const { return root_ / "snapshots"; }
  std::filesystem::path checkpoints() const { return root_ / "checkpoints"; }
  std::filesystem::path problems() const { return root_ / "problems"; }
  std::filesystem::path contacts() const { return root_ / "contacts"; }
  std::filesystem::path contact_index() const { return root_ / "contacts.xdmf"; }
  std::filesystem::path fields() const { return root_ / "fields"; }
  std::filesystem::path field_index(const std::string& name) const {
    return fields() / (name + ".xdmf");
  }
  std::filesystem::path field_table(const std::string& name) const {
    return fields() / (name + ".csv");
  }
  // The files of the state after @p step steps.
  std::filesystem::path snapshot(std::int64_t step) const;
  std::filesystem::path checkpoint(std::int64_t step) const;
  /// The contacts of the step.
  std::filesystem::path contacts_of(std::int64_t step) const;
  /// The problem of the step @p step, or of the part @p part, from 1, of the @p parts that it was cut into.
  std::filesystem::path problem(std::int64_t step, std::int64_t part = 1,
                                std::int64_t parts = 1) const;
  /// The mean of the fields @p name that ends with the step, or that part of it.
  std::filesystem::path field_image(const std::string& name, std::int64_t step,
                                    std::int64_t part = 1, std::int64_t parts = 1) const;

 private:
  std::filesystem::path root_;
};

/// Why no run may write to @p folder, whatever it holds of one; empty where it may: a file of a run would have a path too
/// long for the system, or stand behind a symbolic link, through which others' files would be changed; or the folder holds
/// files of others, and none of a run. That the folder itself is a link is no matter. Not collective.
std::string fault_of_place(const RunFolder& folder);

/// A file of a run that has the number of its step in its name, and which part of it where it is one.
struct StepFile {
  std::int64_t step = 0;
  std::filesystem::path path;
  double share = 1.0;  ///< of the step, that is done at the part's end
};
/// The files `PREFIX_########.ENDING` and `PREFIX_########_part_#_of_#.ENDING` in @p folder by step; none when there is
/// no such folder. Not collective.
std::vector<StepFile> step_files(const std::filesystem::path& folder, const std::string& prefix,
                                 const std::string& ending);
/// What a run that was killed left of those that it was writing: `NAME.part`, and beside it `NAME.part.data.RANK` and
/// `NAME.part.metadata.RANK`, in which Open MPI keeps the shared pointer of a file that is open (base/runtime.cpp), as it
/// does beside a NAME that is read. Not collective.
std::vector<StepFile> unfinished_files(const std::filesystem::path& folder,
                                       const std::string& prefix, const std::string& ending);

/// The last step that a file of the run in @p folder is of, by its name; 0 where there is none. Not collective.
std::int64_t last_step_of_files(const RunFolder& folder);

/// The folder that a run named @p name writes to: `output.directory`, relative to the folder of its
/// YAML file, or output/NAME in the present folder. Not collective.
std::filesystem::path run_directory(const OutputOptions& options, const std::string& name,
                                    const std::filesystem::path& config_file);

}  // namespace scree
