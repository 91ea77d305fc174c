#pragma once

#include <limits>

#include "mesh_features.hpp"

namespace scree {

/// How far the foot of a point on a triangle's plane is out of the triangle, m, where beyond its
/// edges the plane goes on as the border of what is free: past concave edges. Infinite where it is
/// out past another edge; 0 or less within the triangle.
/// @param crack by which a foot may be out past a flat edge, m: the planes on both sides are one to
/// single precision, so that the feet of what is above may miss both triangles
inline double beyond_face(const Facet& facet, int side, const Vec3& foot, double crack) {
  double beyond = 0.0;
  for (int k = 0; k < 3; ++k) {
    const Vec3& start = facet.corners[k];
    const Vec3 along = facet.corners[(k + 1) % 3] - start;
    const double out_times_length = along.cross(facet.normal).dot(foot - start);
    if (out_times_length <= 0.0) continue;
    const double out = out_times_length / along.norm();
    const TriangleMesh::Bend bend = bend_from(facet.bends[k], side);
    if (out <= (bend == TriangleMesh::Bend::flat ? crack : 0.0)) continue;
    if (bend != TriangleMesh::Bend::concave) return std::numeric_limits<double>::infinity();
    beyond = std::max(beyond, out);
  }
  return beyond;
}

}  // namespace scree
