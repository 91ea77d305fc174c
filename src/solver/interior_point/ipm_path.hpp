#pragma once

/// Following the central path of one cone complementarity problem: Mehrotra's predictor-corrector
/// from an infeasible start.

#include <functional>
#include <string>

#include "ipm_system.hpp"

namespace scree::ipm {

struct Iterate {
  Points x;
  Points y;
  double alpha = 0.0;          ///< complementarity x^T y / (2 n)
  double infeasibility = 0.0;  ///< root mean square of r_w and r_y
  int attempt = 0;             ///< 0 for the first start, then one more for each restart
};

enum class PathEnd {
  stopped,    ///< the observer asked for it
  stalled,    ///< steps to the boundary vanish, or no more progress
  rounding,   ///< x and y cannot be nearer to the boundary: another start is no help
  diverged,   ///< a number is not finite
  breakdown,  ///< no linear solver could solve
};

/// Collective. Calls @p observe with every iterate, until it returns true. @p c is the bias.
PathEnd follow_path(MPI_Comm comm, const Cones& cones, System& system, Points c,
                    const IpmOptions& options, const std::function<bool(const Iterate&)>& observe);

}  // namespace scree::ipm
