#pragma once

/// The run of one case: started, and told apart how it ended.

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "case_record.hpp"
#include "cases.hpp"
#include "child.hpp"
#include "scree/io/run_folder/file_lock.hpp"
#include "sweep_folder.hpp"

namespace scree::sweep {

/// How runs are started.
struct Launch {
  std::filesystem::path program;
  std::int64_t ranks = 1;
  std::vector<std::string> launcher;  ///< words that start several ranks
};

class CaseRun {
 public:
  /// Starts @p one, from its checkpoint where it was begun before, and notes that it runs. Not
  /// collective.
  /// @param lock of the case, which the run takes over @throws Failure, InputError.
  static CaseRun start(const SweepFolder& folder, const Case& one, const Launch& launch,
                       FileLock lock);

  /// How the run went, once it has ended; that is kept in the folder, too. @throws Failure.
  std::optional<CaseRecord> ended();
  const Child& child() const { return child_; }
  const Case& of() const { return *case_; }
  /// Simulated time so far over that of the whole run.
  double share() const;

 private:
  CaseRun(const SweepFolder& folder, const Case& one, CaseRecord record, Child child, FileLock lock)
      : folder_(&folder),
        case_(&one),
        record_(std::move(record)),
        child_(child),
        lock_(std::move(lock)) {}

  const SweepFolder* folder_;
  const Case* case_;
  CaseRecord record_;
  Child child_;
  FileLock lock_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace scree::sweep
