#include "scree/domain/numbering.hpp"

#include "scree/base/parallel.hpp"

namespace scree {

Numbering number(Store& store, Exchange& exchange) {
  const std::int64_t n_owned = store.n_owned;
  const Numbering numbers{.n_bodies_global = sum_over_ranks(exchange.comm(), n_owned),
                          .first_row = sum_of_lower_ranks(exchange.comm(), n_owned),
                          .n_owned = store.n_owned};
  for (std::int32_t slot = 0; slot < store.size(); ++slot) {
    store.row[slot] = store.is_owned(slot) ? numbers.first_row + (slot - store.first_owned()) : -1;
  }
  exchange.update(store.row);
  return numbers;
}

}  // namespace scree
