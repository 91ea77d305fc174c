#include "fclib_shares.hpp"

#include <numeric>

namespace scree::fclib {

Shares Shares::of_parts(int parts) const {
  Shares shares = *this;
  for (std::int64_t& number : shares.first) number *= parts;
  return shares;
}

Shares even_shares(MPI_Comm comm, std::int64_t count, int unit) {
  const int n_ranks = size_of(comm);
  const std::int64_t pieces = (count + unit - 1) / unit;
  Shares shares{.first = {}, .rank = rank_of(comm)};
  for (std::int64_t rank = 0; rank <= n_ranks; ++rank) {
    shares.first.push_back(std::min(count, pieces * rank / n_ranks * unit));
  }
  return shares;
}

Shares shares_of(MPI_Comm comm, std::int64_t count) {
  Shares shares{.first = {0}, .rank = rank_of(comm)};
  for (const std::int64_t of_rank : gathered_over_ranks(comm, count)) {
    shares.first.push_back(shares.first.back() + of_rank);
  }
  return shares;
}

std::vector<std::int32_t> counting(const Shares& shares) {
  std::vector<std::int32_t> numbers(shares.count());
  std::iota(numbers.begin(), numbers.end(), static_cast<std::int32_t>(shares.begin()));
  return numbers;
}

}  // namespace scree::fclib
