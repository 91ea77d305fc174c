#pragma once

#include "app/run/observer.hpp"
#include "scree/io/run_folder/output_options.hpp"

namespace scree {

/// Checkpoints when `output.checkpoints` asks for one and when the run is stopped, of which the newest are kept.
class Checkpoints final : public Observer {
 public:
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
