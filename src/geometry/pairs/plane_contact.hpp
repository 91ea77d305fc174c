#pragma once

/// A half space and a convex body with vertices: what touches is a vertex of its core, or the ball
/// about it.

#include <vector>

#include "geometry/pairs/convex/convex_contact.hpp"
#include "geometry/pairs/convex/deepest.hpp"
#include "scree/geometry/shapes/plane.hpp"

namespace scree {

/// The vertices of @p a against @p plane: the deepest, and those whose gap is below @p margin.
inline Manifold plane_contact(const PlacedShape& a, const Plane& plane, const Pose& pose_b,
                              double margin) {
  std::vector<ContactPoint> points;
  for (std::size_t i = 0; i < a.shape.hull.vertices.size(); ++i) {
    const Vec3 vertex = a.pose.to_world(a.shape.scale.cwiseProduct(a.shape.hull.vertices[i]));
    const SurfacePoint surface = plane.nearest(pose_b.to_body(vertex));
    const Vec3 normal = pose_b.orientation * surface.normal;
    points.push_back({surface.distance - a.shape.radius, normal, vertex - a.shape.radius * normal,
                      pose_b.to_world(surface.point),
                      pair_feature(vertex_feature(static_cast<std::int32_t>(i)), 0)});
  }
  drop_beyond(margin, points);
  return manifold_of(points, SeparationStatus::solved);
}

}  // namespace scree
