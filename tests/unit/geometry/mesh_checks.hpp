#pragma once

/// Questions to a mesh of triangles that its tests ask.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "scree/geometry/meshes/triangle_mesh.hpp"

namespace scree::test {

using Bend = TriangleMesh::Bend;

/// A place of a body in its file along no axis.
inline const Pose kPlaceInFile{Vec3(0.3, -2.0, 1.1), rotation_by({0.4, 1.3, -0.8})};

inline std::int64_t edges_with(const TriangleMesh& mesh, Bend bend) {
  return std::ranges::count(mesh.edges, bend, &TriangleMesh::Edge::bend);
}

inline std::int64_t n_corners(const TriangleMesh& mesh) {
  return std::ranges::count(mesh.is_corner, 1);
}

inline std::size_t n_faces(const TriangleMesh& mesh) {
  std::map<std::int32_t, int> sizes;
  for (const std::int32_t face : mesh.face_of) ++sizes[face];
  return sizes.size();
}

/// Tables that refer to each other agree, as in each mesh.
inline void expect_sound(const TriangleMesh& mesh) {
  ASSERT_EQ(mesh.normals.size(), mesh.triangles.size());
  ASSERT_EQ(mesh.edges_of.size(), mesh.triangles.size());
  ASSERT_EQ(mesh.is_corner.size(), mesh.vertices.size());
  ASSERT_EQ(mesh.neighbours_begin.size(), mesh.vertices.size() + 1);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t start = mesh.triangles[t][k];
      const std::int32_t end = mesh.triangles[t][(k + 1) % 3];
      const TriangleMesh::Edge& edge = mesh.edges[mesh.edges_of[t][k]];
      const auto self = static_cast<std::int32_t>(t);
      EXPECT_TRUE((edge.left == self && edge.start == start && edge.end == end) ||
                  (edge.right == self && edge.start == end && edge.end == start));
      EXPECT_EQ(edge.right < 0, edge.bend == Bend::open);
      const auto around = mesh.neighbours_of(start);
      EXPECT_TRUE(std::ranges::is_sorted(around));
      EXPECT_EQ(std::ranges::count(around, end), 1);
    }
    EXPECT_LE(mesh.face_of[t], static_cast<std::int32_t>(t));
    EXPECT_EQ(mesh.face_of[mesh.face_of[t]], mesh.face_of[t]);
  }
}

}  // namespace scree::test
