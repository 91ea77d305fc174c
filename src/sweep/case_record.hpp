#pragma once

/// How the run of a case went: what is kept of it from one start of a sweep to the next.

#include <filesystem>
#include <string>

#include "cases.hpp"
#include "sweep_folder.hpp"

namespace scree::sweep {

enum class CaseStatus {
  waiting,  ///< not begun, or another run than the one that was begun
  running,  ///< begun; or killed so that it could not say so
  stopped,  ///< by a signal: goes on from its checkpoint
  failed,   ///< by a fault of its own
  done,
};

struct CaseRecord {
  CaseStatus status = CaseStatus::waiting;
  std::string error;        ///< what a run said that failed or was killed
  std::string fingerprint;  ///< fingerprint of the case that was run
  double seconds = 0.0;     ///< wall clock of the runs that have ended in order, together
  std::int64_t ranks = 0;
  std::string version;  ///< version of the program that ran it last
  std::string commit;
};

std::string_view to_string(CaseStatus status);

/// The record of @p one: `waiting`, and nothing else, where there is none, or where it is of
/// another case of that name, or the run that it speaks of is gone or is another. Not collective.
CaseRecord record_of(const SweepFolder& folder, const Case& one);

/// Not collective. @throws Failure.
void write_record(const SweepFolder& folder, const std::string& name, const CaseRecord& record);

}  // namespace scree::sweep
