#pragma once

/// Global id <-> local slot <-> PETSc block row: bodies are numbered rank by rank, and on a rank in
/// the order of the owned slots, so that body b has the degrees of freedom 6 row(b) ... 6 row(b)+5.
///
///     row(slot) = first_row + (slot - first_owned)        owned
///                 its owner's                             ghosts
///                 -1                                      tools

#include <cstdint>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/domain/exchange.hpp"

namespace scree {

struct Numbering {
  std::int64_t n_bodies_global = 0;  ///< grains of all ranks
  std::int64_t first_row = 0;        ///< block row of this rank's first owned slot
  std::int32_t n_owned = 0;
  std::vector<std::int64_t> row = {};  ///< block row of each slot
};

/// Collective. @pre exchange.ghosts(store, ...) was the last change of slots.
Numbering number(const Store& store, Exchange& exchange);

}  // namespace scree
