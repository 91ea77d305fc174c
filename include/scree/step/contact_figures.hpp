#pragma once

/// Figures of a step's contacts, for the run's record.

#include <cstdint>

namespace scree {

/// Figures of the contacts as they were found, at the start of the step, with its impulses.
struct ContactFigures {
  std::int64_t potential = 0;  ///< cones of the problem: points of pairs that the step could close
  std::int64_t closed = 0;     ///< pairs whose normal impulse exceeds 1e-3 of the mean positive one
  /// Largest overlap over the smaller radius of its pair, less what compresses its spring.
  double penetration = 0.0;
};

}  // namespace scree
