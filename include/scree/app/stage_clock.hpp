#pragma once

#include <mpi.h>

#include "scree/io/records.hpp"

namespace scree {

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
