#pragma once

/// A sum over ranks that is under way while they do other work.

#include <mpi.h>

#include "scree/base/check.hpp"
#include "scree/base/parallel.hpp"

namespace scree {

class RunningSum {
 public:
  explicit RunningSum(MPI_Comm comm) : comm_(size_of(comm) > 1 ? comm : MPI_COMM_NULL) {}
  RunningSum(const RunningSum&) = delete;
  RunningSum& operator=(const RunningSum&) = delete;
  ~RunningSum() = default;

  /// Collective. @pre the sum before was ended.
  void begin(double value) {
    sum_ = own_ = value;
    if (comm_ == MPI_COMM_NULL) return;
    SCREE_MPI(MPI_Iallreduce(&own_, &sum_, 1, MPI_DOUBLE, MPI_SUM, comm_, &request_));
  }
  /// Collective. The sum, the same on all ranks.
  double end() {
    SCREE_MPI(MPI_Wait(&request_, MPI_STATUS_IGNORE));
    return sum_;
  }

 private:
  MPI_Comm comm_;  ///< null where there is one rank
  MPI_Request request_ = MPI_REQUEST_NULL;
  double own_ = 0.0;
  double sum_ = 0.0;
};

}  // namespace scree
