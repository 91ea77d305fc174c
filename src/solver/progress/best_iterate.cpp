#include "solver/progress/best_iterate.hpp"

#include <cmath>
#include <utility>

#include "scree/base/check.hpp"

namespace scree {

BestIterate::BestIterate(const MeasuredIterate& start, Vec lambda,
                         const KnownVelocities& velocities)
    : iterate_(start), lambda_(petsc::copy(lambda)) {
  if (std::isfinite(start.measures.residual)) {
    keep(velocities);
  } else {
    SCREE_PETSC(VecSet(lambda_.get(), 0.0));
  }
}

void BestIterate::offer(const MeasuredIterate& iterate, Vec lambda, const Goal& goal,
                        const KnownVelocities& velocities) {
  if (!iterate.solved && !is_nearer(iterate, iterate_, goal)) return;
  iterate_ = iterate;
  SCREE_PETSC(VecCopy(lambda, lambda_.get()));
  keep(velocities);
}

/// Into memory that is there already.
void BestIterate::keep(const KnownVelocities& velocities) {
  knows_velocities_ = velocities.has_value();
  if (velocities) velocities_.assign(velocities->begin(), velocities->end());
}

std::optional<std::vector<double>> BestIterate::take_velocities() {
  if (!knows_velocities_) return std::nullopt;
  return std::move(velocities_);
}

}  // namespace scree
