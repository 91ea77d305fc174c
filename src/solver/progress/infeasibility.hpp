#pragma once

/// Impulses that make the residual small and yet solve nothing. Nothing here is collective.

#include <string>

#include "solver/progress/measured_iterate.hpp"

namespace scree {

/// Whether @p best has a residual within the @p goal, and is no solution.
bool hides_error(const MeasuredIterate& best, const Goal& goal);

/// The error that such a residual hides, in words. @pre hides_error()
std::string hidden_error(const MeasuredIterate& best);

/// Whether impulses, however large, are of no use: half of the error without them remains. It is
/// what an infeasible problem looks like, and no proof of one: so do sweeps that stall.
/// @pre hides_error()
bool gains_nothing(const MeasuredIterate& best);

}  // namespace scree
