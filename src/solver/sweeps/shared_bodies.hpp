#pragma once

/// Which bodies the cones of several ranks touch, for mass splitting (sweep.hpp).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scree/problem/block_rows.hpp"
#include "scree/problem/body_exchange.hpp"

namespace scree {

struct SharedBodies {
  std::vector<double> sharers;          ///< k_b: ranks whose cones touch the local body b
  std::vector<std::size_t> local;       ///< bodies whose changes others must hear of
  std::vector<std::uint8_t> is_shared;  ///< whether a body is one of these; empty where none is
  std::size_t n_ghosts = 0;             ///< bodies of other ranks, the last ones
};

/// Collective. Finds those among the bodies of @p pattern, whose exchange is @p exchange.
SharedBodies shared_bodies(const BodyPattern& pattern, BodyExchange& exchange);

}  // namespace scree
