#pragma once

#include "mesh_features.hpp"

namespace scree {

/// Whether a point that is below the plane of the triangle @p t came there through the planar face
/// that the triangle is of, from @p centre: not past its rim, nor through another face.
inline bool is_through_face(const MeshSurface& b, std::int32_t t, const Vec3& centre,
                            const Vec3& point) {
  const PackedMesh& mesh = b.mesh();
  const Facet& facet = mesh.facets[t];
  const double above = facet.normal.dot(centre - facet.corners[0]);
  const double below = facet.normal.dot(point - facet.corners[0]);
  const Vec3 crossing = centre + above / (above - below) * (point - centre);
  // triangles of a face are of one plane to the rounding of single precision
  const Vec3 near = Vec3::Constant(1e-9 * (point - centre).norm() + 2e-7 * mesh.diagnosis.extent);
  bool through = false;
  b.surface.tree.for_each_in({crossing - near, crossing + near}, [&](std::int32_t other) {
    if (through || mesh.facets[other].face != facet.face) return;
    const Vec3 on = nearest_on_triangle(mesh.facets[other].corners, crossing).point;
    through = (on - crossing).norm() <= near.x();
  });
  return through;
}

}  // namespace scree
