#pragma once

/// The lock of a run's folder: rank 0 has run.lock in it locked from before the run looks at what
/// is there until it ends, so that no two runs write to one folder. The kernel lets go of it when
/// the process ends in whatever way (io/run_folder/file_lock.hpp): a run.lock that a killed run
/// leaves behind keeps nobody out, on whichever machine it was. Where the file system has no locks,
/// runs are not kept apart, and the run says so.

#include <mpi.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scree/io/run_folder/file_lock.hpp"
#include "scree/io/run_folder/run_folder.hpp"

namespace scree {

class RunLock {
 public:
  /// Makes the folder, where it is not there, and locks it. Collective. @throws InputError, on all
  /// ranks, when another run has it, by process, machine and time; when no run may write to it
  /// (fault_of_place); or when it cannot be made.
  RunLock(MPI_Comm comm, const RunFolder& folder, FilesOfRun files);
  /// Removes run.lock, and of the folders that were made those that are empty. Not collective.
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  /// A warning about the lock; empty: none, and on all ranks but the first.
  const std::string& warning() const { return warning_; }

 private:
  void take(const RunFolder& folder);
  void make_folders(const std::filesystem::path& root);
  void remove_folders();

  std::vector<std::filesystem::path> made_;  ///< folders, outermost first
  std::optional<FileLock> lock_;
  std::string warning_;
};

}  // namespace scree
