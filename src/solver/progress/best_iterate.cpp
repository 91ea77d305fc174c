#include "solver/progress/best_iterate.hpp"

#include <cmath>

#include "scree/base/check.hpp"

namespace scree {

BestIterate::BestIterate(const MeasuredIterate& start, Vec lambda)
    : iterate_(start), lambda_(petsc::duplicate(lambda)) {
  if (std::isfinite(start.measures.residual)) SCREE_PETSC(VecCopy(lambda, lambda_.get()));
}

void BestIterate::offer(const MeasuredIterate& iterate, Vec lambda, const Goal& goal) {
  if (!iterate.solved && !is_nearer(iterate, iterate_, goal)) return;
  iterate_ = iterate;
  SCREE_PETSC(VecCopy(lambda, lambda_.get()));
}

}  // namespace scree
