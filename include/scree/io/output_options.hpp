#pragma once

/// The keys under `output:`, and when they let a snapshot be written.

#include <cstdint>
#include <filesystem>

#include "scree/config/declaration.hpp"

namespace scree {

struct SnapshotOptions {
  double every = 0.0;  ///< s of simulated time; 0: only at start and end
  bool start = true;
  bool end = true;

  void declare(Declaration& d);
};

struct CsvOptions {
  std::int64_t every = 1;  ///< steps

  void declare(Declaration& d);
};

struct OutputOptions {
  /// Absolute when it comes from a file; empty: output/NAME where scree is started.
  std::filesystem::path directory;
  bool overwrite = false;
  SnapshotOptions snapshots;
  CsvOptions csv;
  double log_interval = 30.0;  ///< s of wall clock

  void declare(Declaration& d);
};

/// Says after which steps a snapshot is due. Snapshots are at multiples of `every` from the start
/// time, each at the step that ends nearest to it. Not collective; the same on every rank.
class SnapshotSchedule {
 public:
  SnapshotSchedule(const SnapshotOptions& options, double start_time)
      : options_(options), start_(start_time) {}
  /// Before the first step.
  bool due_at_start() const { return options_.start; }
  /// After a step that ended at @p time and took @p dt; @p last: no other follows.
  bool due(double time, double dt, bool last);

 private:
  SnapshotOptions options_;
  double start_;
  std::int64_t written_ = 0;  ///< multiples of `every` that are behind
};

}  // namespace scree
