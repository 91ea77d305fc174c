#include "inertia.hpp"

#include <algorithm>
#include <cmath>

#include "scree/base/parallel.hpp"
#include "scree/problem/contact_problem.hpp"

namespace scree {
namespace {

constexpr double kLargestMomentum = 0.85;
constexpr double kProgress = 0.9;  ///< residual over the best one, below which there is progress
constexpr std::int64_t kPatience = 1000;  ///< sweeps without progress, at least
constexpr double kPatienceShare = 0.5;  ///< sweeps without progress over the sweeps done, at least
constexpr double kOfSoftness = 2.0;     ///< q over the softness

double momentum_of(double q) {
  const double root = std::sqrt(q);
  return std::clamp((1.0 - root) / (1.0 + root), 0.0, kLargestMomentum);
}

}  // namespace

double softness_of(const ContactProblem& problem, std::size_t n_contacts) {
  const std::vector<double>& rho = cone_scales(problem);
  std::vector<double> sums{static_cast<double>(n_contacts), 0.0};
  for (std::size_t i = 0; i < n_contacts; ++i) {
    sums[1] += 1.0 / (problem.compliance_of(problem.cones.row(i)) * rho[i]);
  }
  sum_over_ranks(problem.comm, sums);
  return sums[0] > 0.0 ? sums[0] / sums[1] : 0.0;
}

Inertia::Inertia(double softness) : largest_(momentum_of(kOfSoftness * softness)) {}

void Inertia::restart() {
  theta_ = 1.0;
  moved_ = std::numeric_limits<double>::infinity();
}

double Inertia::momentum() {
  if (resting_) return 0.0;
  const double next = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * theta_ * theta_));
  const double result = std::min(largest_, (theta_ - 1.0) / next);
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
