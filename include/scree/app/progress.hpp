#pragma once

/// What a run says while it runs: to the console of rank 0 and to run.log. Other ranks are silent.
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
#include <optional>
#include <string>
#include <string_view>

#include "scree/io/records.hpp"

namespace scree {

enum class Verbosity { quiet, normal, verbose };

/// Estimates how fast a run goes, weighting the last few seconds: no clock of its own.
class PaceMeter {
 public:
  /// @param start_step steps that were done before
  PaceMeter(double start_time, double end_time, std::int64_t start_step = 0)
      : time_(start_time), end_(end_time), step_(start_step) {}
  /// @p step steps are done at simulated @p time and @p wall seconds since the start.
  void update(std::int64_t step, double time, double wall);
  double steps_per_second() const { return step_rate_; }
  double end_time() const { return end_; }
  /// Wall-clock seconds until the end; none before the first step.
  std::optional<double> seconds_left() const;

 private:
  double time_;
  double end_;
  double wall_ = 0.0;
  std::int64_t step_ = 0;
  double step_rate_ = 0.0;  ///< steps per second of wall clock
  double time_rate_ = 0.0;  ///< simulated seconds per second of wall clock
};

/// A line of progress: `0.25/2 s  12 %  103 steps/s  18421 contacts  residual 8.2e-05  17 s left`.
std::string progress_line(const StepRecord& record, double end_time, const PaceMeter& pace);

/// `45 s`, `3 min 20 s`, `2 h 05 min`, `3 d 4 h`.
std::string duration(double seconds);

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

  /// After each step.
  void step(const StepRecord& record);
  void message(std::string_view text);
  void warning(std::string_view text);
  /// What is to be known of a step that did not converge: a warning, unless accepted.
  void unconverged(std::string_view text);
  /// Steps that do not converge are details from now on, and finish() tells of them in a message.
  void accept_unconverged();
  /// Why the run ends before its time, for run.log; the console has it from elsewhere.
  void failure(std::string_view text);
  /// Only when verbose.
  void detail(std::string_view text);
  /// After the last step: its line of progress, how long all took, how many grains came in and were
  /// removed, and how many steps did not converge.
  void finish();

 private:
  void tell_of_grains(const StepRecord& last);

  struct State;
  std::unique_ptr<State> state_;  ///< on rank 0 only
};

}  // namespace scree
