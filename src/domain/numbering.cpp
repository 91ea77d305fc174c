#include "scree/domain/numbering.hpp"

#include <numeric>

#include "scree/base/parallel.hpp"

namespace scree {

Numbering number(const Store& store, Exchange& exchange) {
  const std::int64_t n_owned = store.n_owned;
  Numbering numbers{.n_bodies_global = sum_over_ranks(exchange.comm(), n_owned),
                    .first_row = sum_of_lower_ranks(exchange.comm(), n_owned),
                    .n_owned = store.n_owned};
  numbers.row.assign(static_cast<std::size_t>(store.size()), -1);
  std::iota(numbers.row.begin() + store.first_owned(), numbers.row.begin() + store.end_owned(),
            numbers.first_row);
  exchange.update(numbers.row);
  return numbers;
}

}  // namespace scree
