#pragma once

/// Options of solves in tests.

#include <string>
#include <string_view>

#include "scree/solver/options.hpp"

namespace scree::test {

/// @p method alone: no other is tried where it does not converge.
inline SolverOptions only(std::string_view method, double tolerance = StopOptions{}.tolerance) {
  SolverOptions options;
  options.method = method;
  options.on_not_converged = NotConverged::warn;
  options.stop.tolerance = tolerance;
  return options;
}

}  // namespace scree::test
