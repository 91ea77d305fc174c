#include "scree/base/gradient_pace.hpp"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

constexpr double kGrowth = 1.002;
constexpr double kCut = 0.95;
constexpr double kShortest = 0.1;    ///< of a cut: what rounding moves says little
constexpr double kFarTooLong = 1.5;  ///< t over d^T D d / d^T N d

}  // namespace

void GradientPace::restart() {
  theta_ = 1.0;
  momentum_ = 0.0;
}

void GradientPace::update(const GradientSums& sums) {
  const bool moves = sums.moved > 0.0 && sums.curvature > 0.0;
  const double excess = moves ? step_ * sums.curvature / sums.moved : 0.0;
  step_ *= excess > 1.0 ? std::clamp(1.0 / excess, kShortest, kCut) : kGrowth;
  if (restarts_ && (sums.along < 0.0 || excess > kFarTooLong)) return restart();
  const double next = 0.5 * (theta_ * std::sqrt(theta_ * theta_ + 4.0) - theta_ * theta_);
  momentum_ = theta_ * (1.0 - theta_) / (theta_ * theta_ + next);
  theta_ = next;
}

}  // namespace scree
