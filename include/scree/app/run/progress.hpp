#pragma once

/// Messages of a run while it runs: to the console of rank 0 and to run.log. Other ranks are
/// silent.
///
/// | where            | quiet    | normal                                       | verbose        |
/// | ---              | ---      | ---                                          | ---            |
/// | a terminal       | warnings | messages; one line of progress, redrawn      | a line a step, details |
/// | a file or a pipe | warnings | messages; a line every `output.log_interval` | a line a step, details |
/// | run.log          | messages, warnings; a line every `output.log_interval`  | a line a step, details |
///
/// A line every interval is one for the first and the last step, too. Warnings go to the standard
/// error stream. Of many steps that do not converge the first few are told, the others are details;
/// finish() gives their number.

#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "scree/app/run/pace.hpp"
#include "scree/app/run/records.hpp"

namespace scree {

enum class Verbosity { quiet, normal, verbose };

/// Is the console that rank 0's output ends on a terminal? Open MPI gives its processes a
/// pseudo-terminal even when mpirun itself writes to a file: then mpirun is asked.
bool console_is_terminal();

class Progress {
 public:
  /// Opens run.log on rank 0 (appends when @p append). Collective.
  /// @throws Failure, on all ranks, when the log cannot be written.
  Progress(MPI_Comm comm, const std::filesystem::path& log_file, Verbosity verbosity,
           double log_interval, const PaceMeter& pace, bool append = false);
  ~Progress();
  Progress(Progress&&) noexcept;
  Progress& operator=(Progress&&) noexcept;

  // None of these is collective; on ranks other than 0 they do nothing.

  /// Counts and shows a step.
  void step(const StepRecord& record);
  void message(std::string_view text);
  void warning(std::string_view text);
  /// A warning about a step that did not converge, unless that is accepted.
  void unconverged(std::string_view text);
  /// Steps that do not converge are details from now on, and finish() tells of them in a message.
  void accept_unconverged();
  /// Why the run ends before its time, for run.log; the console has it from elsewhere.
  void failure(std::string_view text);
  /// Logs @p text, and shows it when verbose.
  void note(std::string_view text);
  /// Shows and logs @p text when verbose.
  void detail(std::string_view text);
  /// After the last step: its line of progress, how long all took, how many grains came in and were
  /// removed, and how many steps did not converge.
  void finish();

 private:
  void report_grains(const StepRecord& last);

  struct State;
  std::unique_ptr<State> state_;  ///< on rank 0 only
};

}  // namespace scree
