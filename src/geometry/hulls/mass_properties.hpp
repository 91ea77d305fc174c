#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/math.hpp"

namespace scree {

/// Integrals over a solid of density 1.
struct MassProperties {
  double volume;    ///< m^3
  Vec3 centre;      ///< centre of mass, m
  Mat3 covariance;  ///< mean of (x - centre) (x - centre)^T, m^2
};

/// Volume and moments of the polyhedron that @p loops bound (counter-clockwise seen from outside),
/// which need not be convex: each triangle of a face makes a tetrahedron with a point near the
/// middle, and
///
///     V = det(a, b, c) / 6,   int x = V (a + b + c) / 4,
///     int x x^T = V (a a^T + b b^T + c c^T + (a + b + c)(a + b + c)^T) / 20
MassProperties mass_properties(std::span<const Vec3> vertices,
                               std::span<const std::vector<std::int32_t>> loops);

}  // namespace scree
