#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/math.hpp"

namespace scree {

/// Integrals over a body of density 1: per volume for a solid, per area for a shell.
struct MassProperties {
  double size;      ///< volume, m^3; area of a shell, m^2
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

/// The integrals above where the faces are triangles. The volume is below 0 where they look inward;
/// where it is 0 the moments are no numbers.
MassProperties mass_of_solid(std::span<const Vec3> vertices,
                             std::span<const std::array<std::int32_t, 3>> triangles);

/// Area and moments of a shell of even thickness:
///
///     A = |(b - a) x (c - a)| / 2,   int x = A (a + b + c) / 3,
///     int x x^T = A (a a^T + b b^T + c c^T + (a + b + c)(a + b + c)^T) / 12
MassProperties mass_of_shell(std::span<const Vec3> vertices,
                             std::span<const std::array<std::int32_t, 3>> triangles);

/// Rotation from the principal axes to the axes of @p covariance: none where they are the same to
/// rounding, so that a cube keeps its edges.
Mat3 principal_axes(const Mat3& covariance);

}  // namespace scree
