#pragma once

/// Convex polytopes: vertices, faces and edges, with what integrals over them give.
///
/// A hull stands in its own frame: the origin is its centre of mass, the axes are its principal
/// axes.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/geometry/pose.hpp"

namespace scree {

struct Hull {
  struct Face {
    Vec3 normal;              ///< unit, outward
    double offset;            ///< normal . x on the face, m
    std::int32_t begin, end;  ///< range of the face's vertices in `loops`
  };
  /// The edge from `start` to `end`; `left` is the face whose loop has it in this order.
  struct Edge {
    std::int32_t start, end;
    std::int32_t left, right;
  };

  std::vector<Vec3> vertices;  ///< m
  std::vector<Face> faces;
  std::vector<std::int32_t> loops;  ///< vertices of the faces, counter-clockwise seen from outside
  std::vector<std::int32_t> loop_edges;  ///< beside each: the edge to the next vertex of the loop
  std::vector<Edge> edges;
  /// Other ends of the edges of each vertex, vertex by vertex.
  std::vector<std::int32_t> neighbours;
  /// First place in `neighbours` of each vertex; one more at the end.
  std::vector<std::int32_t> neighbours_begin;

  double volume = 0.0;                   ///< m^3
  Vec3 inertia_per_mass = Vec3::Zero();  ///< principal moments over mass, m^2
  double bounding_radius = 0.0;          ///< m, about the centre of mass
  double inscribed_radius = 0.0;         ///< m, about the centre of mass
  double flatness = 0.0;                 ///< m: how far a vertex may be from the plane of its face
  Pose in_file;                          ///< where the hull's frame is in that of its points

  std::span<const std::int32_t> loop(const Face& face) const {
    return std::span(loops).subspan(face.begin, face.end - face.begin);
  }
  std::span<const std::int32_t> neighbours_of(std::int32_t vertex) const {
    const std::int32_t begin = neighbours_begin[vertex];
    return std::span(neighbours).subspan(begin, neighbours_begin[vertex + 1] - begin);
  }
};

/// The most vertices, edges and faces together: they are numbered in the features of contact
/// points.
inline constexpr std::size_t kMaxFeatures = 0x7fffffff;

/// The convex hull of @p points, m, about its centre of mass. Faces that lie in one plane to 1e-7
/// of the extent (the rounding of single precision) are one face. @p name is what messages call it.
/// @throws InputError for fewer than 4 points, points that are not finite, that lie in a plane,
/// whose
///         extents differ by more than 1:1000, or of which too many are on the hull
Hull hull_of(std::span<const Vec3> points, std::string_view name);

/// The cuboid of @p half edges about the origin.
Hull cuboid(const Vec3& half);

}  // namespace scree
