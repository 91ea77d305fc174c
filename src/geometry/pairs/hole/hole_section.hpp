#pragma once

/// A round hole's solid in a half plane (rho, z) that its axis bounds: convex, so that its nearest
/// point is on one of a wall, two faces and the two rims between them.

#include <array>
#include <cstdint>

#include "scree/geometry/shapes/round_hole.hpp"

namespace scree {

enum class HolePart { wall, top, bottom, low_rim, high_rim };

/// The point of a half plane's section nearest to a given one.
struct SectionPoint {
  Eigen::Vector2d point;   ///< (rho, z), m
  Eigen::Vector2d normal;  ///< unit, out of the solid
  double distance;         ///< m; negative inside
  HolePart part;           ///< inside the solid never a rim
};

/// @param q (rho, z) in the hole's frame, m; rho may be negative: beyond the axis
SectionPoint nearest_in_section(const RoundHole& hole, const Eigen::Vector2d& q);

/// The wall in the section, upwards from the low rim; of a hole without ends from z = 0.
struct WallLine {
  explicit WallLine(const RoundHole& hole);

  Eigen::Vector2d start;
  Eigen::Vector2d direction;
  Eigen::Vector2d normal;  ///< unit normal of the wall, into the hole
  double length;           ///< m; infinite where the hole has no ends
};

/// A hole's surface point, and which part of the surface it is on.
struct HolePoint : SurfacePoint {
  HolePart part;
};

/// RoundHole::nearest
HolePoint nearest_on_hole(const RoundHole& hole, const Vec3& p);
/// RoundHole::around
std::array<HolePoint, 2> further_on_hole(const RoundHole& hole, const Vec3& p);

/// The plane that touches the wall on the side of @p p, or a third of a turn to its one or its
/// other side (@p side 1 and 2), with the point of it that is nearest to p.
HolePoint wall_plane(const RoundHole& hole, const Vec3& p, std::int32_t side);

inline bool is_rim(HolePart part) {
  return part == HolePart::low_rim || part == HolePart::high_rim;
}

}  // namespace scree
