#pragma once

/// Grains and the surface of a mesh.
///
/// A convex grain touches each part of a surface by itself: every local minimum of the distance
/// within the margin is a point (mesh_features.hpp). Of a polytope and a face these are the
/// polytope's vertices above the face, with the normal of the face, and where edges of the two meet
/// or a corner of the mesh meets a face of the polytope, the points of the convex pair of polytope
/// and triangle, of those features alone. So a surface that is cut into more triangles has the same
/// points.
///
/// Past a concave edge the plane of a face goes on as the border of what is free: where a grain is
/// beyond such an edge by less than the margin, that plane is a point, too, so that a step does not
/// bring it into the face.
///
/// A grain is on the side of a triangle that its centre is on. One whose centre is within a solid
/// is led out through the nearest point of the surface.

#include "geometry/pairs/convex/core.hpp"
#include "geometry/pairs/generic/convex_shape.hpp"
#include "scree/geometry/pairs/manifold.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"
#include "scree/geometry/shapes/mesh.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {

/// The points of a ball and a mesh with a gap below @p margin (m), the deepest first, and that in
/// any case.
Manifold mesh_contact(const Sphere& a, const Pose& pose_a, const MeshSurface& b, const Pose& pose_b,
                      double margin);
Manifold mesh_contact(const Ellipsoid& a, const Pose& pose_a, const MeshSurface& b,
                      const Pose& pose_b, double margin);
Manifold mesh_contact(const ConvexShape& a, const Pose& pose_a, const MeshSurface& b,
                      const Pose& pose_b, double margin);
/// Capsules and polytopes. @param inscribed, bounding radii of A, m
Manifold mesh_contact(const CoreShape& a, double inscribed, double bounding, const Pose& pose_a,
                      const MeshSurface& b, const Pose& pose_b, double margin);

}  // namespace scree
