#pragma once

/// The pace of a method, and whether it is too slow for the patience with it.

#include <cstdint>
#include <span>

#include "scree/solver/solver.hpp"
#include "solver/progress/measured_iterate.hpp"

namespace scree {

/// Iterations to the next bound of @p best, if its measure goes on falling by a power of their
/// number, as it did over the last three quarters of the @p iteration ones in @p history; infinite
/// where it did not fall, or where it is within that bound and @p best is no solution all the same.
/// 0 where @p best misses the bound on the errors of contacts, which have a rule of their own
/// (progress/stagnation.hpp). Not collective.
double iterations_to_go(std::int64_t iteration, const MeasuredIterate& best,
                        std::span<const HistoryPoint> history, const Goal& goal);

/// Whether there are more than Stop::patience iterations to go; not before a tenth of as many were
/// done. Not collective.
bool exceeds_patience(std::int64_t iteration, const MeasuredIterate& best,
                      std::span<const HistoryPoint> history, const Stop& stop);

}  // namespace scree
