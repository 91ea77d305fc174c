#include "solver/progress/best_iterate.hpp"

#include <cmath>

#include "scree/base/check.hpp"

namespace scree {

BestIterate::BestIterate(const MeasuredIterate& start, Vec lambda)
    : iterate_(start),
      lambda_(petsc::copy(lambda)),
      is_last_(std::isfinite(start.measures.residual)) {
  if (!is_last_) SCREE_PETSC(VecSet(lambda_.get(), 0.0));
}

void BestIterate::offer(const MeasuredIterate& iterate, Vec lambda, const Goal& goal) {
  is_last_ = iterate.solved || is_nearer(iterate, iterate_, goal);
  if (!is_last_) return;
  iterate_ = iterate;
  SCREE_PETSC(VecCopy(lambda, lambda_.get()));
}

}  // namespace scree
