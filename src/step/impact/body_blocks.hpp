#pragma once

/// Bodies of a problem by their global blocks, the same on every rank.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/problem/contact_problem.hpp"

namespace scree {

class BodyBlocks {
 public:
  /// @param problem must outlive this. Not collective.
  explicit BodyBlocks(const ContactProblem& problem) : pattern_(problem.delassus.blocks->pattern) {
    const PetscInt* ranges = nullptr;
    SCREE_PETSC(VecGetOwnershipRanges(problem.v_free.get(), &ranges));
    ends_.assign(ranges + 1, ranges + 1 + size_of(problem.comm));
    first_ = ranges[rank_of(problem.comm)] / kBodyDofs;
  }
  /// The rank that owns a global block.
  int rank(std::int64_t block) const {
    return static_cast<int>(std::upper_bound(ends_.begin(), ends_.end(), kBodyDofs * block) -
                            ends_.begin());
  }
  /// The global block of a local body (problem/block_rows.hpp).
  std::int64_t global(std::int32_t body) const {
    return body < pattern_.n_owned ? first_ + body : pattern_.ghosts[body - pattern_.n_owned];
  }
  /// The own body that has a global block.
  std::int32_t own(std::int64_t block) const { return static_cast<std::int32_t>(block - first_); }

 private:
  const BodyPattern& pattern_;
  std::vector<std::int64_t> ends_;  ///< one past the last degree of freedom of each rank
  std::int64_t first_ = 0;
};

}  // namespace scree
