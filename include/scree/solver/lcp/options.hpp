#pragma once

/// Options that minmap and fischer share.

#include <cstdint>

#include "scree/config/declaration.hpp"

namespace scree {

struct LcpNewtonOptions {
  std::int64_t sweeps = 0;  ///< sweeps of pgs before the first Newton step
  bool scaled = true;
  /// Whether to step along the gradient where Newton's direction is no descent.
  bool gradient = true;
  double forcing = 1e-8;  ///< linear residual over |h|
  void declare(Declaration& d);
};

}  // namespace scree
