#include "solver/progress/pace.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree {
namespace {

/// One over the share of the patience: fewer iterations say nothing of the pace.
constexpr std::int64_t kLeastPace = 10;
/// The pace is that since this share of the iterations: sweeps stand still for half of them and go
/// on (bed5k from 400 to 1,000, a trench from 2,700 to 4,400).
constexpr std::int64_t kPaceWindow = 4;

}  // namespace

double iterations_to_go(std::int64_t iteration, const MeasuredIterate& best,
                        std::span<const HistoryPoint> history, const Goal& goal) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const Bound bound = next_bound(best.measures, goal);
  const double missing = bound.over(best.measures);
  if (missing <= 1.0) return best.contact_error > 0.0 ? 0.0 : kNever;
  double then = bound.over(history.front().measures);
  for (const HistoryPoint& point : history) {
    if (kPaceWindow * point.iteration > iteration) break;
    then = std::min(then, bound.over(point.measures));
  }
  if (then <= missing) return kNever;
  const double power = std::log(then / missing) / std::log(kPaceWindow);
  return static_cast<double>(iteration) * (std::pow(missing, 1.0 / power) - 1.0);
}

bool exceeds_patience(std::int64_t iteration, const MeasuredIterate& best,
                      std::span<const HistoryPoint> history, const Stop& stop) {
  if (stop.patience <= 0 || kLeastPace * iteration < stop.patience) return false;
  return iterations_to_go(iteration, best, history, stop.goal) > static_cast<double>(stop.patience);
}

}  // namespace scree
