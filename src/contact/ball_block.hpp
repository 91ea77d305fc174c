#pragma once

/// Where the balls of a block of pairs meet, worked out side by side.

#include <cmath>

#include "scree/base/triples.hpp"

namespace scree {

/// A ball, and how far around it contacts are looked for.
struct BallOutline {
  Vec3 centre;
  double radius;  ///< m
  double reach;   ///< m; endless where it does not tell all that the body may touch
};

class BallBlock {
 public:
  void set(std::size_t i, const BallOutline& a, const BallOutline& b) {
    centre_a_.set(i, a.centre);
    centre_b_.set(i, b.centre);
    radius_a_[i] = a.radius;
    radius_b_[i] = b.radius;
    reach_[i] = a.reach + b.reach;
  }

  /// Works out all pairs of the block. Those that were not set give nothing of use.
  void work_out() {
    for (std::size_t i = 0; i < kBlock; ++i) {
      const Triple a = centre_a_[i];
      const Triple b = centre_b_[i];
      const Triple apart = a - b;
      const double distance = std::sqrt(dot(apart, apart));
      const Triple unit{apart.x / distance, apart.y / distance, apart.z / distance};
      gap[i] = distance - (radius_a_[i] + radius_b_[i]);
      beyond[i] = gap[i] - reach_[i];
      normal.set(i, unit);
      arm_a[i] = -(radius_a_[i] + 0.5 * gap[i]);
      arm_b[i] = radius_b_[i] + 0.5 * gap[i];
    }
  }

  BlockNumbers gap{};     ///< m
  BlockNumbers beyond{};  ///< the gap less what the two reach, m; negative: to be looked at
  Triples normal{};       ///< from B to A; no numbers where the two have one centre
  BlockNumbers arm_a{};   ///< along the normal from A's centre to the point halfway, m
  BlockNumbers arm_b{};   ///< along the normal from B's centre to it, m

 private:
  Triples centre_a_{}, centre_b_{};
  BlockNumbers radius_a_{}, radius_b_{}, reach_{};
};

}  // namespace scree
