#include "shared_bodies.hpp"

namespace scree {

SharedBodies shared_bodies(const BodyPattern& pattern, BodyExchange& exchange) {
  SharedBodies result;
  result.n_ghosts = pattern.n_bodies() - pattern.n_owned;
  result.sharers.assign(pattern.n_bodies(), 0.0);
  for (std::size_t i = 0; i < pattern.n_cones(); ++i) {
    for (const std::int32_t b : pattern.bodies(i)) result.sharers[b] = 1.0;
  }
  exchange.add_to_owners(result.sharers);
  exchange.to_ghosts(result.sharers);
  result.local = exchange.shared();
  if (result.local.empty()) return result;
  result.is_shared.assign(pattern.n_bodies(), 0);
  for (const std::size_t b : result.local) result.is_shared[b] = 1;
  return result;
}

}  // namespace scree
