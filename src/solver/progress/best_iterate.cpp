#include "solver/progress/best_iterate.hpp"

#include <cmath>

#include "scree/base/check.hpp"

namespace scree {

BestIterate::BestIterate(const MeasuredIterate& start, Vec lambda,
                         std::span<const double> velocities)
    : iterate_(start), lambda_(petsc::copy(lambda)) {
  if (std::isfinite(start.measures.residual)) {
    velocities_.emplace(velocities.begin(), velocities.end());
  } else {
    SCREE_PETSC(VecSet(lambda_.get(), 0.0));
  }
}

void BestIterate::offer(const MeasuredIterate& iterate, Vec lambda, const Goal& goal,
                        std::span<const double> velocities) {
  if (!iterate.solved && !is_nearer(iterate, iterate_, goal)) return;
  iterate_ = iterate;
  SCREE_PETSC(VecCopy(lambda, lambda_.get()));
  velocities_.emplace(velocities.begin(), velocities.end());
}

}  // namespace scree
