#include "scree/solver/goal.hpp"

#include <algorithm>

#include "scree/base/parallel.hpp"

namespace scree {

bool solved(const Measures& m, const Goal& goal) {
  const double may_remain = std::max(0.1, goal.residual);
  return m.residual <= goal.residual && m.remaining <= may_remain &&
         m.velocity_error <= goal.velocity_error;
}

void throw_if_given_up(MPI_Comm comm, const Goal& goal) {
  if (!goal.give_up || max_over_ranks(comm, goal.give_up() ? 1 : 0) == 0) return;
  throw GivenUp("it was given up before a solve began");
}

}  // namespace scree
