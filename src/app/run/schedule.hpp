#pragma once

#include <cstdint>

namespace scree {

/// Says after which steps something is due that comes at multiples of a simulated time: each at the
/// step that ends nearest to it. Not collective; the same on every rank, and in a run that goes on
/// from @p now as in one that came there by itself.
class Schedule {
 public:
  /// @param every simulated time from one to the next, s; 0: never
  /// @param now the end of the last whole step before the run begins or goes on, s; what was due
  /// until then is behind
  Schedule(double every, double now, double dt) : every_(every), behind_(multiples(now, dt)) {}
  /// After a step that ended at @p time and took @p dt.
  bool due(double time, double dt);

 private:
  std::int64_t multiples(double time, double dt) const;

  double every_;
  std::int64_t behind_;  ///< multiples of `every` that are behind
};

}  // namespace scree
