#include "shared_bodies.hpp"

#include <algorithm>

#include "scree/base/parallel.hpp"

namespace scree {

SharedBodies shared_bodies(MPI_Comm comm, const BodyPattern& pattern) {
  SharedBodies result;
  result.sharers.assign(pattern.n_bodies(), 0.0);
  for (const std::int32_t b : pattern.body) result.sharers[b] = 1.0;
  BodyExchange counts(comm, pattern, 1);
  counts.add_to_owners(result.sharers);
  counts.to_ghosts(result.sharers);
  std::vector<double> ghosts(pattern.n_bodies(), 0.0);
  std::fill(ghosts.begin() + pattern.n_owned, ghosts.end(), 1.0);
  counts.add_to_owners(ghosts);
  for (std::size_t b = 0; b < ghosts.size(); ++b) {
    if (ghosts[b] > 0.0) result.local.push_back(b);
  }
  return result;
}

BodyPattern pattern_of(MPI_Comm comm, const BodyPattern& pattern, const SharedBodies& shared) {
  const std::size_t n_owned = pattern.n_owned;
  const std::size_t n_shared = shared.local.size() - pattern.ghosts.size();
  std::vector<double> names(pattern.n_bodies(), 0.0);
  double name = static_cast<double>(sum_of_lower_ranks(comm, static_cast<std::int64_t>(n_shared)));
  for (std::size_t s = 0; s < n_shared; ++s) names[shared.local[s]] = name++;
  BodyExchange(comm, pattern, 1).to_ghosts(names);
  BodyPattern result;
  result.n_owned = static_cast<std::int32_t>(n_shared);
  for (std::size_t b = n_owned; b < names.size(); ++b) {
    result.ghosts.push_back(static_cast<PetscInt>(names[b]));
  }
  return result;
}

}  // namespace scree
