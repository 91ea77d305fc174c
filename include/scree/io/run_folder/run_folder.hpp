#pragma once

/// The folder of a run, and the names in it that all share (DESIGN, section 6):
///
///     run.yaml  run.log  steps.csv  tools.csv  run.xdmf  snapshots/*.hdf  checkpoints/*.h5
///
/// and, while a run works there, run.lock (io/run_folder/run_lock.hpp). Whoever writes further
/// files names them itself, and says so in a RunFiles.

#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace scree {

/// The names of the files of one kind that have the number of their step in them, and which part of
/// it where they are of a part: PREFIX_########.ENDING and PREFIX_########_part_#_of_#.ENDING.
struct StepFileNames {
  std::filesystem::path folder;
  std::string prefix;  ///< as it is in regular expressions
  std::string ending;  ///< likewise

  /// The file of the step @p step, or of the part @p part, from 1, of the @p parts that it was cut
  /// into.
  std::filesystem::path of(std::int64_t step, std::int64_t part = 1, std::int64_t parts = 1) const;
};

/// The files that a run may have in its folder, all by their whole paths.
struct RunFiles {
  std::vector<std::filesystem::path> single;  ///< that it has once
  std::vector<StepFileNames> of_steps;
  std::vector<std::filesystem::path> folders_at_start;  ///< which every run has from its start
  std::vector<std::filesystem::path> folders_later;     ///< which are made when they are needed
  /// Names that a run may need besides these: the folder's path must leave room for them.
  std::vector<std::filesystem::path> long_names;
};

class RunFolder;

/// The files that runs may have in @p folder, as it stands, besides run.yaml and run.log. Not
/// collective.
using FilesOfRun = RunFiles (*)(const RunFolder& folder);

class RunFolder {
 public:
  /// Makes the folder on rank 0 and writes run.yaml, the effective configuration. Collective.
  /// @throws InputError, on all ranks, when the folder holds a file of a run and @p overwrite is
  /// false, is not a run's (fault_of_place), or cannot be made or written. With @p overwrite the
  /// files of that run, and no others, are removed.
  static RunFolder create(MPI_Comm comm, const std::filesystem::path& root,
                          const std::string& run_yaml, bool overwrite, FilesOfRun files);

  /// The folder of a run that goes on: run.yaml is replaced, all else left as it is. Collective.
  /// @throws InputError, on all ranks, when it is not a run's (fault_of_place), or cannot be
  /// written.
  static RunFolder take_up(MPI_Comm comm, const std::filesystem::path& root,
                           const std::string& run_yaml, FilesOfRun files);

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
  StepFileNames snapshot_files() const { return {snapshots(), "snapshot", "hdf"}; }
  StepFileNames checkpoint_files() const { return {checkpoints(), "checkpoint", "h5"}; }

 private:
  std::filesystem::path root_;
};

/// Why no run may write to @p folder, whatever it holds of one; empty where it may: a file of a run
/// would have a path too long for the system, or stand behind a symbolic link, through which
/// others' files would be changed; or the folder holds files of others, and none of a run. That the
/// folder itself is a link is no matter. Not collective.
std::string fault_of_place(const RunFolder& folder, FilesOfRun files);

/// A file of a run that has the number of its step in its name, and which part of it where it is
/// one.
struct StepFile {
  std::int64_t step = 0;
  std::filesystem::path path;
  double share = 1.0;  ///< of the step, that is done at the part's end
};
/// The files of these names by step; none when there is no such folder. Not collective.
std::vector<StepFile> step_files(const StepFileNames& names);
/// Files that a killed run left half written: `NAME.part`, and beside it `NAME.part.data.RANK` and
/// `NAME.part.metadata.RANK`, in which Open MPI keeps the shared pointer of a file that is open
/// (base/runtime.cpp), as it does beside a NAME that is read. Not collective.
std::vector<StepFile> unfinished_files(const StepFileNames& names);

/// The last step that a file of the run in @p folder is of, by its name; 0 where there is none. Not
/// collective.
std::int64_t last_step_of_files(const RunFolder& folder, FilesOfRun files);

/// The folder that a run named @p name writes to: @p directory (`output.directory`), relative to
/// the folder of its YAML file, or, where that is empty, output/NAME in the present folder. Not
/// collective.
std::filesystem::path run_directory(const std::filesystem::path& directory, const std::string& name,
                                    const std::filesystem::path& config_file);

}  // namespace scree
