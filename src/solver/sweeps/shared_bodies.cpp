#include "scree/solver/sweeps/shared_bodies.hpp"

namespace scree {

SharedBodies shared_bodies(MPI_Comm comm, const BodyPattern& pattern) {
  SharedBodies result;
  result.sharers.assign(pattern.n_bodies(), 0.0);
  for (const std::int32_t b : pattern.body) result.sharers[static_cast<std::size_t>(b)] = 1.0;
  BodyExchange counts(comm, pattern, 1);
  counts.add_to_owners(result.sharers);
  counts.to_ghosts(result.sharers);
  const auto n_owned = static_cast<std::size_t>(pattern.n_owned);
  for (std::size_t b = 0; b < result.sharers.size(); ++b) {
    if (b >= n_owned || result.sharers[b] > 1.0) result.local.push_back(b);
  }
  return result;
}

}  // namespace scree
