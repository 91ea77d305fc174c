#pragma once

#include <mpi.h>

#include <span>

#include "scree/base/check.hpp"

namespace scree {

/// Collective. Sums @p own entry by entry over the ranks into @p sum, as long, on @p rank; other
/// ranks give an empty one, and keep no copy.
inline void sum_on_rank(MPI_Comm comm, int rank, std::span<const double> own,
                        std::span<double> sum) {
  SCREE_MPI(MPI_Reduce(own.data(), sum.data(), static_cast<int>(own.size()), MPI_DOUBLE, MPI_SUM,
                       rank, comm));
}

}  // namespace scree
