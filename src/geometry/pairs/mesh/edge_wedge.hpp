#pragma once

/// An edge of a mesh with the triangles on both sides of it, as a thin convex body: their convex
/// hull, which about an edge that stands out is what the solid is there. Alone, an edge that a body
/// has sunk over would let it out along any direction.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "scree/base/math.hpp"
#include "scree/geometry/shapes/supporting_face.hpp"

namespace scree {

/// Seen from the middle of the edge, m: its ends, and the third corners of the triangles (twice the
/// same one at an open edge).
struct EdgeWedge {
  std::array<Vec3, 4> corners;

  Vec3 support(const Vec3& direction) const {
    return *std::ranges::max_element(
        corners, {}, [&direction](const Vec3& corner) { return corner.dot(direction); });
  }
  double rounding_radius() const { return 0.0; }
  double inscribed_radius() const { return 0.0; }
  double bounding_radius() const {
    return std::max({corners[0].norm(), corners[2].norm(), corners[3].norm()});
  }
  SupportingFace supporting_face(const Vec3& direction, double tolerance) const {
    for (const std::size_t third : {2U, 3U}) {
      const Vec3 across = (corners[1] - corners[0]).cross(corners[third] - corners[0]).normalized();
      if (!is_along(direction, across, tolerance) || !is_farthest(direction, tolerance, third)) {
        continue;
      }
      const bool is_left = across.dot(direction) > 0.0;
      return {{{corners[is_left ? 0 : 1], 0},
               {corners[is_left ? 1 : 0], 1},
               {corners[third], static_cast<std::int32_t>(third)}}};
    }
    const Vec3 along = corners[1] - corners[0];
    if (std::abs(along.dot(direction)) <= tolerance * along.norm() &&
        is_farthest(direction, tolerance, 0)) {
      return {{{corners[0], 0}, {corners[1], 1}}};
    }
    return {{{support(direction), 0}}};
  }

 private:
  static bool is_along(const Vec3& direction, const Vec3& normal, double tolerance) {
    return direction.cross(normal).norm() <= tolerance;
  }
  bool is_farthest(const Vec3& direction, double tolerance, std::size_t corner) const {
    return direction.dot(support(direction) - corners[corner]) <= tolerance * bounding_radius();
  }
};

}  // namespace scree
