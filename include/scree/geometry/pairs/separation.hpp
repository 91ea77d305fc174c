#pragma once

/// Gap, normal and contact points of a ball and another shape.
///
/// The shape's `nearest` answers for every shape,
///
///     (x, n, d) = nearest_B(c_A),   phi = d - r_A,   point_A = c_A - r_A n,   point_B = x,
///
/// which is exact for every B, also when the centre is inside B (then phi < -r_A and n is the way
/// out of the nearest face).

#include <array>
#include <type_traits>

#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/round_hole.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {

struct Separation {
  double gap;    ///< phi, m; positive when apart, negative when overlapping
  Vec3 normal;   ///< unit, from B to A, world frame
  Vec3 point_a;  ///< on A's surface, world frame, m
  Vec3 point_b;  ///< on B's surface; point_a - point_b = gap * normal
};

/// Gap, normal and contact point of two balls. Where centres coincide the normal is e_z.
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

/// Further points of @p b that the ball @p a may touch at the same time, in directions that the
/// nearest point does not tell of: in a hole that is narrow for it (RoundHole::around). Nothing for
/// most shapes.
std::array<Separation, 2> further_separations(const Sphere& a, const Pose& pose_a,
                                              const RoundHole& b, const Pose& pose_b);

}  // namespace scree
