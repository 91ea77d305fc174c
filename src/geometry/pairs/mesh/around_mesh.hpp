#pragma once

/// The search around a grain near a mesh, which is the same for all shapes.

#include <algorithm>

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

/// The points of one grain: @p collect(triangle, side, points) appends those that it has with a
/// triangle, on the side of it that the grain's centre is on, of all triangles within the margin of
/// the points.
template <class Collect>
Manifold around_mesh(const GrainOutline& a, const MeshSurface& b, const Pose& pose_b, double margin,
                     const Collect& collect) {
  bool is_behind = false;  // some triangle of a solid
  const auto within = [&](double reach) {
    MeshPoints points(reach, a.inscribed);
    const Vec3 half = Vec3::Constant(a.bounding + std::max(reach, 0.0));
    b.surface.tree.for_each_in({a.pose.position - half, a.pose.position + half},
                               [&](std::int32_t t) {
                                 const int side = b.side_of(t, a.pose.position);
                                 if (side != 0) collect(t, side, points);
                                 is_behind = is_behind || side == 0;
                               });
    return points;
  };
  MeshPoints points = within(margin);
  if (!points.empty() && !is_behind) return points.taken();
  const SurfacePoint nearest = b.nearest(a.pose.position);
  if (!points.empty() && nearest.distance >= 0.0) return points.taken();
  const double of_inscribed = nearest.distance - a.inscribed;
  if (nearest.distance > 0.0 && of_inscribed > margin) {
    // its inscribed ball is so far: the grain's nearest point is not farther
    MeshPoints wider = within(of_inscribed + 1e-9 * nearest.distance);
    if (!wider.empty()) return wider.deepest();
  }
  return alone(mesh_point(pose_b, nearest.point, nearest.normal, of_inscribed, 0));
}

}  // namespace scree
