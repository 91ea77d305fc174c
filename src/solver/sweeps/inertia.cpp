#include "inertia.hpp"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

constexpr double kLargestMomentum = 0.85;
constexpr double kProgress = 0.9;  ///< residual over the best one, below which there is progress
constexpr std::int64_t kPatience = 1000;  ///< sweeps without progress, at least
constexpr double kPatienceShare = 0.5;  ///< sweeps without progress over the sweeps done, at least

}  // namespace

void Inertia::restart() {
  theta_ = 1.0;
  moved_ = std::numeric_limits<double>::infinity();
}

double Inertia::momentum() {
  if (resting_) return 0.0;
  const double next = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * theta_ * theta_));
  const double result = std::min(kLargestMomentum, (theta_ - 1.0) / next);
  theta_ = next;
  return result;
}

void Inertia::update(double moved) {
  if (moved > moved_) {
    theta_ = std::max(1.0, 0.5 * theta_);
    moved_ = std::numeric_limits<double>::infinity();
  } else {
    moved_ = moved;
  }
}

void Inertia::judge(double residual, std::int64_t sweeps) {
  if (residual < kProgress * best_) {
    best_ = residual;
    best_at_ = sweeps;
  }
  const auto patience =
      std::max(kPatience, static_cast<std::int64_t>(kPatienceShare * static_cast<double>(sweeps)));
  if (sweeps - best_at_ <= patience) return;
  resting_ = !resting_;
  restart();
  best_at_ = sweeps;
}

}  // namespace scree
