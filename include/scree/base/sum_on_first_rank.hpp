#pragma once

#include <mpi.h>

#include <span>

#include "scree/base/check.hpp"

namespace scree {

/// Collective. Sums @p own entry by entry over the ranks into @p sum, as long, on rank 0; other
/// ranks give an empty one. For what only rank 0 writes: the other ranks keep no copy.
inline void sum_on_first_rank(MPI_Comm comm, std::span<const double> own, std::span<double> sum) {
  SCREE_MPI(MPI_Reduce(own.data(), sum.data(), static_cast<int>(own.size()), MPI_DOUBLE, MPI_SUM, 0,
                       comm));
}

}  // namespace scree
