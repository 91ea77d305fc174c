#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scree/base/math.hpp"

namespace scree {

/// Vertices of each face of the convex hull, counter-clockwise seen from outside.
struct HullFaces {
  std::vector<std::vector<std::int32_t>> loops;
  std::string fault;  ///< why there are none; empty when there are
};

/// The faces of the convex hull of @p points (Qhull). Neighbouring faces are one where the middle
/// of each is within @p tolerance of the other's plane.
HullFaces quickhull(std::span<const Vec3> points, double tolerance);

}  // namespace scree
