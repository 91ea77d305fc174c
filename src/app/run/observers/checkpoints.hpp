#pragma once

#include "app/run/observer.hpp"
#include "app/run/schedule.hpp"

namespace scree {

/// The keys under `output.checkpoints`.
struct CheckpointOptions {
  double every = 0.0;          ///< s of simulated time; 0: not by it
  double wall_every = 1800.0;  ///< s of wall clock; 0: not by it
  bool end = true;
  std::int64_t keep = 2;

  void declare(Declaration& d);
};

/// Removes later checkpoints. They go before all else, so that a cut that is itself cut off can be
/// repeated. Not collective: rank 0.
void cut_checkpoints(const RunFolder& folder, const RunPoint& point);

/// Checkpoints when `output.checkpoints` asks for one and when the run is stopped, of which the
/// newest are kept.
class Checkpoints final : public Observer {
 public:
  using Options = CheckpointOptions;
  static void declare(Declaration& d, Options& options);
  static void add_files(const RunFolder& folder, RunFiles& files);

  explicit Checkpoints(const ObservedRun& run);
  void go_on() override;
  void after_part(const ObservedStep& part) override;
  void after_step(const ObservedStep& step) override;
  void after_giving_up(double elapsed) override;

 private:
  bool is_due(const ObservedStep& step);
  void write(double elapsed);

  const CheckpointOptions& options_;
  Schedule schedule_;
  double last_ = 0.0;  ///< wall seconds since the start, of the last one
};

}  // namespace scree
