#include "smooth_normal.hpp"

#include <Eigen/LU>

#include <cmath>

#include "geometry/pairs/across.hpp"

namespace scree {
namespace {

constexpr int kMostLooks = 12;
constexpr double kStepOfTheta = 1e-4;   ///< of theta
constexpr double kFarthestTheta = 0.5;  ///< of theta, in an iteration
constexpr double kParallel = 1e-6;      ///< of the change that the slope misses, to the turn

using Turn = Eigen::Vector2d;

/// Directions around one, by two coordinates.
class Chart {
 public:
  Chart(const Difference& d, const Vec3& middle)
      : d_(d), middle_(middle), basis_(basis_across(middle)) {}
  Sight look(const Turn& theta) const { return d_.look((middle_ + basis_ * theta).normalized()); }
  /// F at theta.
  Turn error(const Turn& theta, const Sight& sight) const {
    const double per_size = 1.0 / std::sqrt(1.0 + theta.squaredNorm());
    return basis_.transpose() * sight.point - sight.value * per_size * theta;
  }

 private:
  const Difference& d_;
  const Vec3& middle_;
  Across basis_;
};

Eigen::Matrix2d slope_at_middle(const Chart& chart, const Turn& error) {
  Eigen::Matrix2d slope;
  for (int k = 0; k < 2; ++k) {
    const Turn theta = kStepOfTheta * Turn::Unit(k);
    slope.col(k) = (chart.error(theta, chart.look(theta)) - error) / kStepOfTheta;
  }
  slope(0, 1) = slope(1, 0) = 0.5 * (slope(0, 1) + slope(1, 0));
  return slope;
}

/// Has @p slope give the change @p of_error along @p turn, too.
void mend(const Turn& turn, const Turn& of_error, Eigen::Matrix2d& slope) {
  const Turn missed = of_error - slope * turn;
  const double along = missed.dot(turn);
  if (std::abs(along) <= kParallel * missed.norm() * turn.norm()) return;
  slope += missed * missed.transpose() / along;
}

}  // namespace

std::optional<Sight> smooth_normal(const Difference& d, const Sight& start, double tolerance) {
  const Chart chart(d, start.direction);
  Turn theta = Turn::Zero();
  Turn error = chart.error(theta, start);
  if (error.norm() <= tolerance) return start;
  Eigen::Matrix2d slope = slope_at_middle(chart, error);
  for (int k = 0; k < kMostLooks; ++k) {
    const Turn turn = -(slope.inverse() * error);
    if (!(turn.norm() < kFarthestTheta)) return std::nullopt;
    const Sight sight = chart.look(theta + turn);
    const Turn next = chart.error(theta + turn, sight);
    if (!(next.norm() < error.norm()) || sight.value >= 0.0) return std::nullopt;
    if (next.norm() <= tolerance) return sight;
    mend(turn, next - error, slope);
    theta += turn;
    error = next;
  }
  return std::nullopt;
}

}  // namespace scree
