#pragma once

/// Conditions on a run at the end of a step: when a stage ends, when a motion starts or stops.

#include <limits>
#include <string>
#include <vector>

#include "scree/events/situation.hpp"
#include "scree/events/tool_condition.hpp"

namespace scree {

class Declaration;

/// Holds where all that it names do.
struct Condition {
  double time_after = 0.0;  ///< s; 0: at any time
  double duration = 0.0;    ///< since what waits for it began, s; 0: any
  double kinetic_energy_below = std::numeric_limits<double>::infinity();  ///< J
  std::vector<ToolCondition> tools;

  void declare(Declaration& d);
  /// @param since when what waits for it began, s
  bool holds(const Situation& now, double since) const;
  /// `kinetic energy below 0.001 J and 0.1 s after its beginning`.
  std::string in_words() const;
};

}  // namespace scree
