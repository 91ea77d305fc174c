#pragma once

#include <optional>

#include "scree/events/condition.hpp"

namespace scree {

/// The keys `start_when` and `stop_when` of a motion: events, each of which happens once, at the
/// end of the first step in which its condition holds. The motion counts its time from the first.
struct MotionEvents {
  std::optional<Condition> start_when;  ///< duration: since the tool got the motion
  std::optional<Condition> stop_when;   ///< duration: since the motion started

  void declare(Declaration& d);
};

}  // namespace scree
