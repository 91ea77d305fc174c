#pragma once

/// Options that minmap and fischer share.

#include <cstdint>

#include "scree/config/declaration.hpp"

namespace scree {

struct LcpNewtonOptions {
  std::int64_t sweeps = 0;  ///< of pgs, before the first Newton step
  bool scaled = true;
  bool gradient = true;   ///< where Newton's direction is of no use
  double forcing = 1e-8;  ///< linear residual over |h|
  void declare(Declaration& d);
};

}  // namespace scree
