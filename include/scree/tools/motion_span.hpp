#pragma once

#include <algorithm>
#include <limits>
#include <optional>

#include "scree/geometry/pose.hpp"

namespace scree {

/// When the motion of a tool runs, and from where: from the start of the run and the place of the
/// configuration, or as a stage or an event of the run has made it. A motion counts its time from
/// its start; before it stands where it begins, and from its stop on where it came to. Alike on all
/// ranks.
struct MotionSpan {
  static constexpr double kWaits = std::numeric_limits<double>::infinity();

  double given = 0.0;        ///< when the tool got this motion, s
  double start = 0.0;        ///< s; kWaits: it waits for its event
  double stop = kWaits;      ///< s
  std::optional<Pose> from;  ///< where the shape's origin was when it was given; none: as placed

  bool has_started() const { return start < kWaits; }
  bool has_stopped() const { return stop < kWaits; }
  /// The motion's own time at the time @p t, s.
  double own_time(double t) const { return t <= start ? 0.0 : std::min(t, stop) - start; }
  bool runs_at(double t) const { return start <= t && t < stop; }
};

}  // namespace scree
