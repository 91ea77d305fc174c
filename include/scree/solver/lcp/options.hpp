#pragma once

/// Options that minmap and fischer share.

#include <cstdint>

namespace scree {

class Declaration;

struct LcpNewtonOptions {
  std::int64_t sweeps = 0;  ///< sweeps of pgs before the first Newton step
  /// Sweeps of pgs over contacts with friction, before their LCP is formulated.
  std::int64_t contact_sweeps = 30;
  bool scaled = true;
  /// Whether to step along the gradient where Newton's direction is no descent.
  bool gradient = true;
  /// Whether to try the direction of Levenberg and Marquardt before it. Set for contacts with
  /// friction: no key.
  bool damped = false;
  double forcing = 1e-8;  ///< linear residual over |h|
  void declare(Declaration& d);
};

}  // namespace scree
