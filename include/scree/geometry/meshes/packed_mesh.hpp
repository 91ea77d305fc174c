#pragma once

/// A mesh as it is searched: what contacts ask of a triangle stands in one record, and neighbours
/// in space are neighbours in memory. All of it is in one block of memory, which processes of a
/// computer may share (searchable_mesh.hpp).

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/geometry/meshes/triangle_mesh.hpp"

namespace scree {

/// A triangle of a mesh; two lines of the processor's caches. Edge k goes from corner k to the
/// next.
struct alignas(64) Facet {
  std::array<Vec3, 3> corners;              ///< m, counter-clockwise seen from outside
  Vec3 normal;                              ///< unit
  std::array<std::int32_t, 3> vertices;     ///< corners as vertices of the mesh
  std::array<std::int32_t, 3> edges;        ///< edges of the mesh
  std::int32_t face;                        ///< the planar face that it is of
  std::array<TriangleMesh::Bend, 3> bends;  ///< of the edges
  std::uint8_t flags;                       ///< bit k: has_corner(k); bit 3 + k: is_gentle(k)

  /// TriangleMesh::is_corner of corner k.
  bool has_corner(int k) const { return (flags >> k & 1) != 0; }
  /// Whether the normals beside edge k are within 60 degrees and, where the edge is flat, agree to
  /// 1e-7.
  bool is_gentle(int k) const { return (flags >> (3 + k) & 1) != 0; }
};
static_assert(sizeof(Facet) == 128);

struct PackedMesh : MeshSummary {
  Box3 box;                        ///< of all triangles, m
  std::span<const Vec3> vertices;  ///< m, body frame
  std::span<const Facet>
      facets;  ///< in the order of the tree; vertices and edges as these use them
  std::span<const TriangleMesh::Edge> edges;  ///< of two facets
  std::span<const std::int32_t> neighbours;   ///< of vertices, as TriangleMesh::neighbours
  std::span<const std::int32_t> neighbours_begin;
  std::span<const std::int32_t> number;  ///< of each facet among the triangles of TriangleMesh

  std::span<const std::int32_t> neighbours_of(std::int32_t vertex) const {
    const std::int32_t begin = neighbours_begin[vertex];
    return neighbours.subspan(begin, neighbours_begin[vertex + 1] - begin);
  }
  /// The vertices of each triangle, in the order of TriangleMesh::triangles.
  std::vector<std::array<std::int32_t, 3>> triangles() const {
    std::vector<std::array<std::int32_t, 3>> own(facets.size());
    for (std::size_t k = 0; k < facets.size(); ++k) own[number[k]] = facets[k].vertices;
    return own;
  }
};

}  // namespace scree
