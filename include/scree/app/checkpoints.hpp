#pragma once

/// When a run writes checkpoints, and how many it keeps.

#include <cstdint>
#include <filesystem>
#include <string>

#include "scree/app/simulation.hpp"
#include "scree/io/output_options.hpp"
#include "scree/io/run_folder.hpp"

namespace scree {

class Checkpoints {
 public:
  /// @param run_yaml the effective configuration, which every checkpoint carries. Not collective.
  Checkpoints(const Simulation& simulation, RunFolder folder, std::string run_yaml);

  /// Whether one is due after a step; @p elapsed wall seconds since the start, the same on all
  /// ranks. @p last: no other step follows. Not collective.
  bool due(const Simulation& simulation, double elapsed, bool last);

  /// Writes one, then removes the oldest so that `keep` are left. Collective. @throws Failure on all
  /// ranks; then no checkpoint has been removed or changed.
  void write(const Simulation& simulation, double elapsed);

 private:
  CheckpointOptions options_;
  RunFolder folder_;
  std::string run_yaml_;
  Schedule schedule_;
  double last_ = 0.0;  ///< wall seconds since the start, of the last one
};

}  // namespace scree
