#pragma once

/// Gap, normal and contact points of two shapes.
///
/// A pair of shapes is one overload of `separation_of`. A sphere against any shape needs none: the
/// shape's `nearest` answers,
///
///     (x, n, d) = nearest_B(c_A),   phi = d - r_A,   point_A = c_A - r_A n,   point_B = x,
///
/// which is exact for every B, also when the centre is inside B (then phi < -r_A and n is the way
/// out of the nearest face). Pairs given in the other order are turned round. A pair of shapes that
/// are only walls and tools (kOnlyWall) is never asked for; any other pair without a routine does not
/// compile, and the compiler's message names it.

#include <array>
#include <type_traits>

#include "scree/geometry/pose.hpp"
#include "scree/geometry/shape_list.hpp"

namespace scree {

struct Separation {
  double gap;    ///< phi, m; positive when apart, negative when overlapping
  Vec3 normal;   ///< unit, from B to A, world frame
  Vec3 point_a;  ///< on A's surface, world frame, m
  Vec3 point_b;  ///< on B's surface; point_a - point_b = gap * normal
};

/// Separation of @p a from @p b. Not collective.
/// @throws Failure for a pair that is never asked (two shapes that are only tools).
Separation separation(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b);

/// Two balls. Of coinciding centres the normal is e_z.
Separation separation_of(const Sphere& a, const Pose& pose_a, const Sphere& b, const Pose& pose_b);

/// A ball and a point of B's surface, in B's frame.
inline Separation separation_from(const Sphere& a, const Pose& pose_a, const SurfacePoint& of_b,
                                  const Pose& pose_b) {
  const Vec3 normal = pose_b.orientation * of_b.normal;
  return {of_b.distance - a.radius, normal, pose_a.position - a.radius * normal,
          pose_b.to_world(of_b.point)};
}

/// A ball and anything that knows its nearest surface point.
template <class B>
requires requires(const B& b, const Vec3& p) {
  b.nearest(p);
}
Separation separation_of(const Sphere& a, const Pose& pose_a, const B& b, const Pose& pose_b) {
  return separation_from(a, pose_a, b.nearest(pose_b.to_body(pose_a.position)), pose_b);
}

/// What else the ball @p a may touch of @p b at the same time, in directions that the nearest point
/// does not tell of: in a hole that is narrow for it (RoundHole::around). Nothing for most shapes.
std::array<Separation, 2> further_separations(const Sphere& a, const Pose& pose_a,
                                              const RoundHole& b, const Pose& pose_b);

/// Shapes of walls and tools only: two of them never meet.
template <class S>
inline constexpr bool kOnlyWall = std::is_base_of_v<RoundHole, S>;
template <>
inline constexpr bool kOnlyWall<Plane> = true;
template <>
inline constexpr bool kOnlyWall<Box> = true;
template <>
inline constexpr bool kOnlyWall<Capsule> = true;

}  // namespace scree
