#pragma once

/// Surfaces of triangles that need be neither convex nor closed: topology, mass properties and
/// what is wrong with them.
///
/// A mesh stands in its own frame: the origin is its centre of mass, the axes are its principal
/// axes. Mass is that of the solid where the surface is closed and its normals look outward, and
/// that of a shell of even thickness elsewhere.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/geometry/pose.hpp"

namespace scree {

struct MeshFile;  // geometry/meshes/mesh_file.hpp

/// How a mesh came out of its file.
struct MeshDiagnosis {
  std::int64_t read = 0;           ///< triangles in the file
  std::int64_t degenerate = 0;     ///< of these, left out: two corners are one, or no height
  std::int64_t duplicate = 0;      ///< left out: the corners of an earlier one, in any order
  std::int64_t open_edges = 0;     ///< edges of one triangle
  std::int64_t flipped_edges = 0;  ///< edges that two triangles run the same way: one is inside out
  std::int64_t crowded_edges = 0;  ///< edges of more than two triangles
  bool inward = false;             ///< closed, and the normals look into what the surface encloses
  double extent = 0.0;             ///< m: longest side of the box about it, axes of the file
};

/// Figures of a mesh as a whole.
struct MeshSummary {
  bool closed = false;  ///< each edge has two triangles, which run it opposite ways
  double area = 0.0;    ///< m^2
  double volume = 0.0;  ///< m^3; 0 unless it is closed and its normals look outward
  Vec3 inertia_per_mass = Vec3::Zero();  ///< principal moments over mass, m^2
  double bounding_radius = 0.0;          ///< m, about the centre of mass
  Pose in_file;                          ///< where the mesh's frame is in that of its file, m
  std::int64_t checksum = 0;             ///< of the triangles' vertices, in their order
  MeshDiagnosis diagnosis;
};

struct TriangleMesh : MeshSummary {
  /// How the two triangles of an edge meet. Flat: both are of one planar face, or their normals
  /// agree to 1e-7. Two triangles folded back onto each other are convex. Open: a border of one
  /// triangle; an edge of more than two triangles, or of two that run it the same way, is a border
  /// of each, and there as often.
  enum class Bend : std::uint8_t { open, convex, flat, concave };

  /// The edge from `start` to `end`; `left` is the triangle that has it in this order.
  struct Edge {
    std::int32_t start, end;
    std::int32_t left, right;  ///< triangles; right is -1 where the edge is open
    Bend bend;
  };

  std::vector<Vec3> vertices;  ///< m, body frame; each has a triangle
  /// Vertices of each triangle, counter-clockwise seen from the side that its normal looks to.
  std::vector<std::array<std::int32_t, 3>> triangles;
  /// Unit, of each triangle; where it is lower than 1e-7 of the extent, of the face it is in.
  std::vector<Vec3> normals;
  std::vector<Edge> edges;
  /// Edges of each triangle: edge k goes from corner k to corner (k + 1) % 3.
  std::vector<std::array<std::int32_t, 3>> edges_of;
  /// Other ends of the edges of each vertex, vertex by vertex; each once, in ascending order.
  std::vector<std::int32_t> neighbours;
  /// First place in `neighbours` of each vertex; one more at the end.
  std::vector<std::int32_t> neighbours_begin;
  /// The planar face of each triangle, named by the face's lowest triangle: triangles that hang
  /// together over edges, with corners within 1e-7 of the extent (the rounding of single precision)
  /// of the face's plane, and normals to one side of it.
  std::vector<std::int32_t> face_of;
  /// For each vertex 0 where all of its edges are flat, or all but two that are one straight line.
  std::vector<std::uint8_t> is_corner;

  std::span<const std::int32_t> neighbours_of(std::int32_t vertex) const {
    const std::int32_t begin = neighbours_begin[vertex];
    return std::span(neighbours).subspan(begin, neighbours_begin[vertex + 1] - begin);
  }
};

/// The mesh of @p file with lengths times @p scale, m. Points within 1e-7 of the extent are one
/// vertex; triangles lower than 1e-9 of it, and second ones between the same vertices, are left
/// out. Time n log n. @p name is what messages call it. Not collective.
/// @throws InputError when no triangle is left, there are too many, or the extent is no length
TriangleMesh triangle_mesh(const MeshFile& file, double scale, std::string_view name);

/// Sentences on what a user should know of @p mesh, each with its remedy; none for a sound one.
std::vector<std::string> warnings(const MeshSummary& mesh);

}  // namespace scree
