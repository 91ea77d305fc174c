#include "scree/domain/numbering.hpp"

#include <algorithm>
#include <numeric>

#include "scree/base/parallel.hpp"

namespace scree {
namespace {

/// The rank that owns the rows of free tools.
constexpr int kRankOfTools = 0;

/// The rows of free tools, of which there are @p n_tools. Collective.
void number_tools(MPI_Comm comm, const Store& store, std::int32_t n_tools, Numbering& numbers) {
  if (n_tools == 0) return;
  std::int64_t row = store.n_owned;
  SCREE_MPI(MPI_Bcast(&row, 1, MPI_INT64_T, kRankOfTools, comm));
  for (std::int32_t slot = 0; slot < store.n_tools; ++slot) {
    if (store.is_free_tool(slot)) numbers.row[slot] = row++;
  }
}

}  // namespace

Numbering number(const Store& store, Exchange& exchange) {
  const MPI_Comm comm = exchange.comm();
  const std::int32_t n_tools = count_free_tools(store);
  const std::int32_t n_rows = store.n_owned + (rank_of(comm) == kRankOfTools ? n_tools : 0);
  Numbering numbers{.n_bodies_global = sum_over_ranks(comm, std::int64_t{n_rows}),
                    .first_row = sum_of_lower_ranks(comm, std::int64_t{n_rows}),
                    .n_rows = n_rows};
  numbers.row.assign(static_cast<std::size_t>(store.size()), -1);
  std::iota(numbers.row.begin() + store.first_owned(), numbers.row.begin() + store.end_owned(),
            numbers.first_row);
  number_tools(comm, store, n_tools, numbers);
  exchange.update(numbers.row);
  return numbers;
}

std::vector<Vec6> of_free_tools(MPI_Comm comm, const Store& store, std::span<const double> rows) {
  std::vector<Vec6> values(static_cast<std::size_t>(count_free_tools(store)));
  if (values.empty()) return values;
  const std::size_t n = 6 * values.size();
  if (rank_of(comm) == kRankOfTools) {
    SCREE_ASSERT(rows.size() >= n);
    std::ranges::copy(rows.last(n), values.front().data());
  }
  SCREE_MPI(MPI_Bcast(values.front().data(), static_cast<int>(n), MPI_DOUBLE, kRankOfTools, comm));
  return values;
}

}  // namespace scree
