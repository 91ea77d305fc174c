#pragma once

/// Features of a mesh where another body touches it: which direction belongs to which, and their
/// numbers.
///
/// A point of the surface is a local minimum of the distance from a point p outside of it where the
/// direction n to p is across the surface there: along the normal within a planar face, in the cone
/// of directions
///
///     n . d <= 0    for every direction d along the surface
///
/// on an edge or a corner. On flat and concave edges no direction is but those of the faces beside
/// it, so that what rolls or slides over the inner edges of a face, or into a corner, touches faces
/// alone, as the smooth solid's.

#include "scree/geometry/shapes/mesh.hpp"

namespace scree {

/// Sine of the angle by which a direction may leave its feature's cone: flat edges are flat to
/// single precision.
inline constexpr double kOffCone = 1e-6;

/// Whether the unit direction @p n (mesh's frame) belongs to the edge @p e.
inline bool belongs_to_edge(const PackedMesh& mesh, std::int32_t e, const Vec3& n,
                            double off_cone = kOffCone) {
  const TriangleMesh::Edge& edge = mesh.edges[e];
  const Vec3 along = (mesh.vertices[edge.end] - mesh.vertices[edge.start]).normalized();
  const auto leads_away = [&](std::int32_t triangle) {
    if (triangle < 0) return true;
    const Vec3 into =
        mesh.facets[triangle].normal.cross(triangle == edge.left ? along : Vec3(-along));
    return n.dot(into) <= off_cone;
  };
  return leads_away(edge.left) && leads_away(edge.right);
}

/// Whether it belongs to the vertex @p v.
inline bool belongs_to_vertex(const PackedMesh& mesh, std::int32_t v, const Vec3& n,
                              double off_cone = kOffCone) {
  const Vec3& corner = mesh.vertices[v];
  for (const std::int32_t other : mesh.neighbours_of(v)) {
    const Vec3 along = mesh.vertices[other] - corner;
    if (n.dot(along) > off_cone * along.norm()) return false;
  }
  return true;
}

/// How an edge of the bend @p bend bends seen from the side @p side (1 where normals look, -1).
inline TriangleMesh::Bend bend_from(TriangleMesh::Bend bend, int side) {
  using Bend = TriangleMesh::Bend;
  if (side > 0 || bend == Bend::open || bend == Bend::flat) return bend;
  return bend == Bend::convex ? Bend::concave : Bend::convex;
}

/// Numbers of features: vertices, then edges, then planar faces.
inline std::int64_t number_of_vertex(const PackedMesh&, std::int32_t vertex) {
  return vertex;
}
inline std::int64_t number_of_edge(const PackedMesh& mesh, std::int32_t edge) {
  return std::ssize(mesh.vertices) + edge;
}
inline std::int64_t number_of_face(const PackedMesh& mesh, std::int32_t t) {
  return std::ssize(mesh.vertices) + std::ssize(mesh.edges) + mesh.facets[t].face;
}

}  // namespace scree
