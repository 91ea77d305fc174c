#pragma once

/// Figures of a step by the names of their columns of steps.csv.

#include <stdexcept>
#include <string>
#include <string_view>

#include "scree/step/constraints.hpp"
#include "scree/step/impact.hpp"
#include "scree/step/step.hpp"

namespace scree::test {

/// @throws std::invalid_argument where neither an impact law nor a way of constraints has the
/// column.
inline double figure_of(const StepResult& result, std::string_view column) {
  for (const FigureColumn& one : impact_columns()) {
    if (one.name == column) return result.impact.figures.of(column);
  }
  for (const FigureColumn& one : constraint_columns()) {
    if (one.name == column) return result.constraint_figures.of(column);
  }
  throw std::invalid_argument("no column " + std::string(column));
}

/// A figure that is a number of things.
inline std::int64_t count_of(const StepResult& result, std::string_view column) {
  return static_cast<std::int64_t>(figure_of(result, column));
}

}  // namespace scree::test
