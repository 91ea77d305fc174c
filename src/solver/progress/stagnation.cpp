#include "solver/progress/stagnation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree {
namespace {

constexpr double kLeastWindow = 100.0;   ///< iterations
constexpr double kLeastProgress = 0.98;  ///< of a measure that falls, over itself before
/// Window of WindowRule, over the iterations allowed.
constexpr double kWindowShare = 0.3;
/// Window of IdleRule, likewise.
constexpr double kIdleShare = 0.05;

bool spans_window(std::int64_t iterations, double share, std::int64_t limit) {
  return static_cast<double>(iterations) >=
         std::max(kLeastWindow, share * static_cast<double>(limit));
}

/// Whether @p value falls below @p least, which then takes it.
bool falls(double value, double& least) {
  if (!(value < kLeastProgress * least)) return false;
  least = value;
  return true;
}

}  // namespace

bool IdleRule::gains(const MeasuredIterate& present, const MeasuredIterate& best,
                     const Goal& goal) {
  const Measures& m = present.measures;
  const bool contacts_gain =
      present.contact_error > 0.0 && falls(present.contact_error, least_contact_error_);
  if (best.measures.residual > goal.residual) return true;
  if (falls(m.remaining, least_remaining_)) return true;
  if (m.velocity_error > goal.velocity_error && falls(m.velocity_error, least_velocity_error_))
    return true;
  return contacts_gain;
}

std::string IdleRule::judge(std::int64_t iteration, const MeasuredIterate& present,
                            const MeasuredIterate& best, const Goal& goal) {
  if (gains(present, best, goal)) last_gain_ = iteration;
  const std::int64_t idle = iteration - last_gain_;
  if (!spans_window(idle, kIdleShare, limit_)) return {};
  return present.contact_error > 0.0
             ? fmt::format("no contact's own error falls in {} iterations", idle)
             : fmt::format("impulses grow for {} iterations and the error does not fall", idle);
}

std::string WindowRule::judge(std::int64_t iteration, const MeasuredIterate& best,
                              const Goal& goal) {
  const std::int64_t length = iteration - start_;
  if (!spans_window(length, kWindowShare, limit_)) return {};
  const Bound bound = next_bound(best.measures, goal);
  const bool is_new = bound.measure != next_bound(best_at_start_.measures, goal).measure;
  const double missing = bound.over(best.measures);
  const double before = bound.over(best_at_start_.measures);
  start_ = iteration;
  best_at_start_ = best;
  // the errors of contacts, which are all that is missed up to 1, are for IdleRule
  if (!is_new && missing > std::max(1.0, kLeastProgress * before)) {
    return fmt::format("no progress below {} in {} iterations", bound.in_words(best.measures),
                       length);
  }
  return {};
}

}  // namespace scree
