#pragma once

/// Two rules by which a method that does not come nearer to its goal is stopped. Both hold over a
/// share of the iterations allowed, and over 100 at least: fewer say nothing. A measure falls where
/// it falls below 0.98 of itself. Nothing here is collective.

#include <cstdint>
#include <limits>
#include <string>

#include "solver/progress/measured_iterate.hpp"

namespace scree {

/// Stops impulses that grow and make the residual, which is relative to them, small, while the
/// error that they leave does not fall; and those whose errors of contacts, which are all that is
/// missed, do not.
class IdleRule {
 public:
  /// @param limit iterations allowed
  explicit IdleRule(std::int64_t limit) : limit_(limit) {}

  /// Why the method is stopped at @p present after @p iteration iterations; empty where it is not.
  std::string judge(std::int64_t iteration, const MeasuredIterate& present,
                    const MeasuredIterate& best, const Goal& goal);

 private:
  bool gains(const MeasuredIterate& present, const MeasuredIterate& best, const Goal& goal);

  std::int64_t limit_;
  std::int64_t last_gain_ = 0;  ///< the last iteration in which something fell
  double least_remaining_ = std::numeric_limits<double>::infinity();
  double least_velocity_error_ = std::numeric_limits<double>::infinity();
  double least_contact_error_ = std::numeric_limits<double>::infinity();
};

/// Stops a method whose best iterate is no nearer to its next bound at the end of a window of
/// iterations than at its beginning.
class WindowRule {
 public:
  WindowRule(std::int64_t limit, const MeasuredIterate& start)
      : limit_(limit), best_at_start_(start) {}

  /// The same of @p best.
  std::string judge(std::int64_t iteration, const MeasuredIterate& best, const Goal& goal);

 private:
  std::int64_t limit_;
  std::int64_t start_ = 0;  ///< iteration at which the window begins
  MeasuredIterate best_at_start_;
};

}  // namespace scree
