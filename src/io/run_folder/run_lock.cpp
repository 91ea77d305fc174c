#include "scree/io/run_folder/run_lock.hpp"

#include <fmt/format.h>

#include <ranges>
#include <system_error>

#include "scree/base/parallel.hpp"

namespace scree {
namespace fs = std::filesystem;

namespace {

/// The fate of the process that a lock names, which this process could take. Mounts with
/// `localflock` lock on each machine by itself.
std::string fate_of(const std::string& holder) {
  if (holder.find(fmt::format(" on {},", host_name())) != std::string::npos) {
    return "which has ended and no longer has the folder";
  }
  return "which has ended and no longer has the folder; if it still runs, this file system has no "
         "locks between machines, and both runs are damaged";
}

}  // namespace

RunLock::RunLock(MPI_Comm comm, const RunFolder& folder, FilesOfRun files) {
  std::string fault;
  if (rank_of(comm) == 0) {
    try {
      fault = fault_of_place(folder, files);
      if (fault.empty()) take(folder);
    } catch (const fs::filesystem_error& error) {
      fault =
          fmt::format("the folder of the run cannot be made: {}; give another with --output DIR",
                      error.code().message());
    } catch (const std::exception& error) {
      fault = error.what();
    }
    if (!fault.empty()) remove_folders();
  }
  refuse_together(comm,
                  fault.empty() ? fault : fmt::format("{}: {}", folder.root().string(), fault));
}

RunLock::~RunLock() {
  if (lock_) lock_->remove();
  remove_folders();
}

void RunLock::remove_folders() {
  for (const fs::path& path : std::views::reverse(made_)) {
    std::error_code holds_the_run;
    fs::remove(path, holds_the_run);
  }
}

void RunLock::make_folders(const fs::path& root) {
  fs::path path;
  for (const fs::path& name : root) {
    path /= name;
    if (fs::is_directory(path)) continue;
    if (fs::exists(path)) {
      throw fs::filesystem_error("", path, std::make_error_code(std::errc::not_a_directory));
    }
    if (fs::create_directory(path)) made_.push_back(path);
  }
}

/// @throws InputError whose words go after the folder's name
void RunLock::take(const RunFolder& folder) {
  make_folders(folder.root());
  try {
    lock_ = FileLock::take(folder.lock());
  } catch (const NoLocks& fault) {
    warning_ =
        fmt::format("{}: a second run in this folder would not be noticed, and would damage both",
                    fault.what());
    return;
  }
  if (!lock_) {
    throw InputError(
        fmt::format("another run works there: {}; wait for it, stop it, or give another folder "
                    "with --output DIR",
                    holder_of(folder.lock())));
  }
  if (!lock_->left_by().empty()) {
    warning_ = fmt::format("{}: left behind by {}, {}", folder.lock().string(), lock_->left_by(),
                           fate_of(lock_->left_by()));
  }
}

}  // namespace scree
