#pragma once

#include <mpi.h>

namespace scree {

/// Seconds of wall clock of the stages of a step.
struct StageSeconds {
  double domain = 0.0;    ///< partition, migration, prediction, ghosts, numbering
  double contacts = 0.0;  ///< broad and narrow phase
  double assemble = 0.0;  ///< J, M^-1, r
  double solve = 0.0;
  double advance = 0.0;  ///< new positions
  double output = 0.0;   ///< files, of the step before (the row is written before the step's own)
  double step = 0.0;     ///< the whole step
};

/// Wall seconds of the stages of a step. Each rank has its own until `slowest`.
class StageClock {
 public:
  /// Does @p work, adds its wall seconds to @p stage and returns its result. Not collective.
  template <class Work>
  auto time(double StageSeconds::*stage, Work&& work) {
    const Guard guard(seconds_.*stage);
    return work();
  }
  void clear() { seconds_ = {}; }
  /// The slowest rank's seconds, stage by stage. Collective.
  StageSeconds slowest(MPI_Comm comm) const;

 private:
  struct Guard {
    explicit Guard(double& total) : sum(total), start(MPI_Wtime()) {}
    ~Guard() { sum += MPI_Wtime() - start; }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    double& sum;
    double start;
  };
  StageSeconds seconds_;
};

}  // namespace scree
