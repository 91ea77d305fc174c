#pragma once

/// Global id <-> local slot <-> PETSc block row: bodies are numbered rank by rank, and on a rank in
/// the order of the owned slots, so that body b has the degrees of freedom 6 row(b) ... 6 row(b)+5.
/// Free tools, which every rank knows, have rows on the first rank, behind those of its grains; on
/// the others they are like ghosts, so that impulses of all ranks on them are summed there.
///
///     row(slot) = first_row + (slot - first_owned)        owned
///                 its owner's                             ghosts
///                 n_owned of the first rank + k           the k-th free tool
///                 -1                                      prescribed tools

#include <cstdint>
#include <span>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/domain/exchange.hpp"

namespace scree {

struct Numbering {
  std::int64_t n_bodies_global = 0;    ///< grains of all ranks, and free tools
  std::int64_t first_row = 0;          ///< the first block row of this rank
  std::int32_t n_rows = 0;             ///< block rows of this rank
  std::vector<std::int64_t> row = {};  ///< block row of each slot
};

/// Collective. @pre exchange.ghosts(store, ...) was the last change of slots.
Numbering number(const Store& store, Exchange& exchange);

/// The numbers of the free tools, in slot order, of @p rows, six numbers for each block row of this
/// rank: every rank gets those of the first one. Collective. Without free tools there is no
/// message.
std::vector<Vec6> of_free_tools(MPI_Comm comm, const Store& store, std::span<const double> rows);

}  // namespace scree
