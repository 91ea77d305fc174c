#pragma once

/// How fast a run goes, and the line that says so.

#include <cstdint>
#include <optional>
#include <string>

#include "scree/app/run/records.hpp"

namespace scree {

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

}  // namespace scree
