#pragma once

/// The keys under `output:`, and when they let something be written.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "scree/fields/options.hpp"
#include "scree/io/paraview/snapshot_content.hpp"

namespace scree {

class Declaration;

struct SnapshotOptions {
  double every = 0.0;  ///< s of simulated time; 0: only at start and end
  bool start = true;
  bool end = true;
  SnapshotContent content = {};

  void declare(Declaration& d);
};

struct ContactFileOptions {
  double every = 0.0;  ///< s of simulated time; 0: never

  void declare(Declaration& d);
};

struct CheckpointOptions {
  double every = 0.0;          ///< s of simulated time; 0: not by it
  double wall_every = 1800.0;  ///< s of wall clock; 0: not by it
  bool end = true;
  std::int64_t keep = 2;

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
  ContactFileOptions contacts;
  CheckpointOptions checkpoints;
  CsvOptions csv;
  std::vector<FieldOptions> fields;
  double log_interval = 30.0;  ///< s of wall clock

  void declare(Declaration& d);
};

/// Says after which steps something is due that comes at multiples of a simulated time: each at the
/// step that ends nearest to it. Not collective; the same on every rank, and in a run that goes on
/// from @p now as in one that came there by itself.
class Schedule {
 public:
  /// @param every simulated time from one to the next, s; 0: never
  /// @param now the end of the last whole step before the run begins or goes on, s; what was due until then is behind
  Schedule(double every, double now, double dt) : every_(every), behind_(multiples(now, dt)) {}
  /// After a step that ended at @p time and took @p dt.
  bool due(double time, double dt);

 private:
  std::int64_t multiples(double time, double dt) const;

  double every_;
  std::int64_t behind_;  ///< multiples of `every` that are behind
};

}  // namespace scree
