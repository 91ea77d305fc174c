#pragma once

#include <limits>
#include <string>

#include "scree/events/situation.hpp"

namespace scree {

class Declaration;

/// A bound on one of the values of a tool. Bounds themselves do not hold.
struct ToolCondition {
  std::string tool;
  std::string quantity;  ///< a column of tools.csv: force_x ... velocity_z
  double above = -std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();

  void declare(Declaration& d);
  /// @throws Failure where @p now lacks the tool.
  bool holds(const Situation& now) const;
  std::string in_words() const;
};

}  // namespace scree
