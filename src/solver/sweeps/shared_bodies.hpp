#pragma once

/// Which bodies the cones of several ranks touch, for mass splitting (sweep.hpp).

#include <cstddef>
#include <vector>

#include "scree/problem/block_rows.hpp"

namespace scree {

struct SharedBodies {
  std::vector<double> sharers;  ///< k_b: ranks whose cones touch the local body b
  std::vector<std::size_t>
      local;  ///< bodies whose changes others must hear of: ghosts, and own ones with k_b > 1
};

/// Collective. The pattern of the shared bodies alone, numbered anew, for an exchange of their
/// numbers: local body s of it is body `local[s]` of @p pattern.
BodyPattern pattern_of(MPI_Comm comm, const BodyPattern& pattern, const SharedBodies& shared);

/// Collective.
SharedBodies shared_bodies(MPI_Comm comm, const BodyPattern& pattern);

}  // namespace scree
