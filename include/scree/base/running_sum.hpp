#pragma once

/// Sums over ranks that are under way while they do other work.

#include <mpi.h>

#include <array>
#include <cstddef>

#include "scree/base/check.hpp"
#include "scree/base/parallel.hpp"

namespace scree {

template <std::size_t kCount>
class RunningSums {
 public:
  explicit RunningSums(MPI_Comm comm) : comm_(size_of(comm) > 1 ? comm : MPI_COMM_NULL) {}
  RunningSums(const RunningSums&) = delete;
  RunningSums& operator=(const RunningSums&) = delete;
  ~RunningSums() = default;

  /// Collective. @pre the sum before was ended.
  void begin(const std::array<double, kCount>& values) {
    sums_ = own_ = values;
    if (comm_ == MPI_COMM_NULL) return;
    SCREE_MPI(MPI_Iallreduce(own_.data(), sums_.data(), static_cast<int>(kCount), MPI_DOUBLE,
                             MPI_SUM, comm_, &request_));
  }
  /// Collective. The sums, the same on all ranks.
  const std::array<double, kCount>& end() {
    SCREE_MPI(MPI_Wait(&request_, MPI_STATUS_IGNORE));
    return sums_;
  }

 private:
  MPI_Comm comm_;  ///< null where there is one rank
  MPI_Request request_ = MPI_REQUEST_NULL;
  std::array<double, kCount> own_{};
  std::array<double, kCount> sums_{};
};

}  // namespace scree
