#include "gradient_pace.hpp"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

constexpr double kGrowth = 1.002;
constexpr double kCut = 0.95;
constexpr double kFarTooLong = 1.5;  ///< t over d^T D d / d^T N d

}  // namespace

void GradientPace::restart() {
  theta_ = 1.0;
  momentum_ = 0.0;
}

void GradientPace::update(const KernelSums& sums) {
  const double excess = sums.curvature > 0.0 ? step_ * sums.curvature / sums.moved : 0.0;
  step_ *= excess > 1.0 ? std::min(kCut, 1.0 / excess) : kGrowth;
  const bool uphill = restarts_ && sums.along < 0.0;
  if (uphill || excess > kFarTooLong) return restart();
  const double next = 0.5 * (theta_ * std::sqrt(theta_ * theta_ + 4.0) - theta_ * theta_);
  momentum_ = theta_ * (1.0 - theta_) / (theta_ * theta_ + next);
  theta_ = next;
}

}  // namespace scree
