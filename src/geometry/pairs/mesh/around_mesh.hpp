#pragma once

/// The search around a grain near a mesh, which is the same for all shapes.

#include <algorithm>
#include <cmath>
#include <limits>

#include "mesh_features.hpp"
#include "mesh_points.hpp"
#include "scree/geometry/pairs/manifold.hpp"
#include "scree/geometry/pose.hpp"

namespace scree {

/// A grain's place in the mesh's frame, and radii about it, m.
struct GrainOutline {
  Pose pose;
  double inscribed;
  double bounding;
};

inline Pose pose_in(const Pose& frame, const Pose& pose) {
  return {frame.to_body(pose.position), frame.orientation.conjugate() * pose.orientation};
}

/// A point of the mesh's @p surface with the direction @p normal to the grain, both in the mesh's
/// frame.
inline ContactPoint mesh_point(const Pose& pose_b, const Vec3& surface, const Vec3& normal,
                               double gap, std::int64_t feature) {
  const Vec3 point = pose_b.to_world(surface);
  const Vec3 turned = pose_b.orientation * normal;
  return {gap, turned, point + gap * turned, point, feature};
}

/// The distance from a grain's centre beyond which no triangle has a point of it, m. A ball's are
/// within @p reach of the ball, or of a plane ahead, by as much across it and along it. Of other
/// grains a plane may be ahead that is far along it, past a corner between concave edges: the box
/// about the grain alone bounds these.
inline double farthest_triangle(const GrainOutline& a, double reach) {
  const bool is_ball = a.inscribed == a.bounding;
  return is_ball ? std::hypot(a.bounding + reach, reach) * (1.0 + 1e-9)
                 : std::numeric_limits<double>::infinity();
}

/// The points of one grain: @p collect(triangle, side, points) appends those that it has with a
/// triangle, on the side of it that the grain's centre is on, of all triangles within the margin of
/// the points.
template <class Collect>
Manifold around_mesh(const GrainOutline& a, const MeshSurface& b, const Pose& pose_b, double margin,
                     const Collect& collect) {
  const Vec3& centre = a.pose.position;
  const TriangleTree& tree = b.surface.tree;
  const auto reach_box = [&](double reach) {
    const Vec3 half = Vec3::Constant(a.bounding + std::max(reach, 0.0));
    return Box3{centre - half, centre + half};
  };
  bool is_behind = false;  // some triangle of a solid
  MeshPoints points(margin, a.inscribed);
  const auto look_at = [&](std::int32_t t) {
    const int side = b.side_of(t, centre);
    if (side != 0) collect(t, side, points);
    is_behind = is_behind || side == 0;
  };
  if (const double farthest = farthest_triangle(a, std::max(margin, 0.0));
      std::isfinite(farthest)) {
    tree.for_each_near(centre, farthest, look_at);
  } else {
    tree.for_each_in(reach_box(margin), look_at);
  }
  if (!points.empty() && !is_behind) return points.taken();
  const SurfacePoint nearest = b.nearest(centre);
  if (!points.empty() && nearest.distance >= 0.0) return points.taken();
  const double of_inscribed = nearest.distance - a.inscribed;
  if (nearest.distance > 0.0 && of_inscribed > margin) {
    // its inscribed ball is so far: the grain's nearest point is not farther
    MeshPoints wider(of_inscribed + 1e-9 * nearest.distance, a.inscribed);
    const auto narrowing = [&](std::int32_t t) {
      const int side = b.side_of(t, centre);
      if (side == 0) return;
      collect(t, side, wider);
      wider.narrow();
    };
    // what is near the mesh's nearest point is near the grain's, mostly
    const Vec3 beside = Vec3::Constant(1e-9 * nearest.distance);
    tree.for_each_in({nearest.point - beside, nearest.point + beside}, narrowing);
    tree.for_each_near(centre, a.bounding + std::max(wider.margin(), 0.0), narrowing);
    if (wider.has_points()) return wider.deepest();
  }
  return alone(mesh_point(pose_b, nearest.point, nearest.normal, of_inscribed, 0));
}

}  // namespace scree
