#pragma once

/// Reductions of several numbers in one operation: what one costs on many ranks is its latency.

#include <mpi.h>

#include <span>

namespace scree {

/// Collective. Sums @p sums and takes the largest of @p maxima, entry by entry over the ranks and
/// in place. NaN among @p maxima may be lost.
void sum_and_max_over_ranks(MPI_Comm comm, std::span<double> sums, std::span<double> maxima);

}  // namespace scree
