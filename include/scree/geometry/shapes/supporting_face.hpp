#pragma once

/// The part of a convex shape's surface that looks along a direction: a flat, a segment or a point.

#include <cstdint>
#include <vector>

#include "scree/base/math.hpp"

namespace scree {

/// Three corners and more are a flat's, counter-clockwise seen from outside; two are a segment's
/// ends. A round flat has some points of its rim.
struct SupportingFace {
  struct Corner {
    Vec3 point;           ///< on the surface, body frame, m
    std::int32_t number;  ///< the same for the same place on the body; from 0, below 2^28
  };
  std::vector<Corner> corners;
};

}  // namespace scree
