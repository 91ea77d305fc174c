#pragma once

/// The time of a solve, on which all ranks agree, and whether it may go on.

#include <chrono>
#include <ctime>

#include "scree/base/parallel.hpp"
#include "scree/solver/goal.hpp"

namespace scree {

class SolveClock {
 public:
  explicit SolveClock(MPI_Comm comm) : comm_(comm) {}

  /// Since the clock was made, of this rank. Not collective.
  double seconds() const;
  /// Of the processor, of this process alone. Not collective.
  double processor_seconds() const;
  /// Those of the slowest rank. Collective. @throws GivenUp, on every rank, where one wants it by
  /// Goal::give_up.
  double agreed_seconds(const Goal& goal) const;

 private:
  MPI_Comm comm_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::clock_t processor_start_ = std::clock();
};

}  // namespace scree
