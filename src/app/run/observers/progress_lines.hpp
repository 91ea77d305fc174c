#pragma once

#include "app/run/observer.hpp"

namespace scree {

struct ProgressOptions {
  double log_interval = 30.0;  ///< s of wall clock
};

/// Lines on the console and in run.log about each part of a step, and at the end
/// (app/run/progress.hpp).
class ProgressLines final : public Observer {
 public:
  using Options = ProgressOptions;
  static void declare(Declaration& d, Options& options);

  using Observer::Observer;
  void after_part(const ObservedStep& part) override;
  void finish() override { run_.progress.finish(); }

 private:
  void warn_of_compression(const StepRecord& record);
  void warn_of_loss(const ObservedStep& part);

  bool warned_of_compression_ = false;
  bool warned_of_loss_ = false;
};

}  // namespace scree
