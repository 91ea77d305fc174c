#pragma once

/// Surfaces of triangles, as a file would hold them.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "geometry/meshes/mesh_file.hpp"
#include "scree/base/math.hpp"
#include "scree/geometry/pose.hpp"

namespace scree::test {

inline void add_triangle(MeshFile& mesh, const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto first = static_cast<std::int32_t>(mesh.points.size());
  mesh.points.insert(mesh.points.end(), {a, b, c});
  mesh.triangles.push_back({first, first + 1, first + 2});
}

/// The polygon of @p corners, which is a fan about the first, as triangles with points of their
/// own: as STL has them.
inline void add_polygon(MeshFile& mesh, const std::vector<Vec3>& corners) {
  for (std::size_t k = 2; k < corners.size(); ++k) {
    add_triangle(mesh, corners[0], corners[k - 1], corners[k]);
  }
}

/// The prism from z = 0 to z = @p height over the polygon @p base (z = 0, counter-clockwise seen
/// from above, seen as a whole from its first corner), without a lid if @p is_open.
inline MeshFile prism(const std::vector<Vec3>& base, double height, bool is_open = false) {
  const Vec3 up(0.0, 0.0, height);
  MeshFile mesh;
  const std::size_t n = base.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Vec3& a = base[k];
    const Vec3& b = base[(k + 1) % n];
    add_polygon(mesh, {a, b, b + up, a + up});
  }
  std::vector<Vec3> top;
  for (const Vec3& p : base) top.emplace_back(p + up);
  if (!is_open) add_polygon(mesh, top);
  std::vector<Vec3> bottom = base;
  std::reverse(bottom.begin() + 1, bottom.end());
  add_polygon(mesh, bottom);
  return mesh;
}

/// The box between the origin and @p size.
inline MeshFile box_mesh(const Vec3& size, bool is_open = false) {
  return prism({{0, 0, 0}, {size.x(), 0, 0}, {size.x(), size.y(), 0}, {0, size.y(), 0}}, size.z(),
               is_open);
}

/// The unit sphere: @p rows rings of 2 @p rows quadrangles, 4 rows (rows - 1) triangles.
inline MeshFile sphere_mesh(int rows) {
  const int around = 2 * rows;
  const auto at = [&](int row, int column) -> Vec3 {
    const double polar = std::numbers::pi * row / rows;
    const double angle = 2.0 * std::numbers::pi * (column % around) / around;
    return {std::sin(polar) * std::cos(angle), std::sin(polar) * std::sin(angle), std::cos(polar)};
  };
  MeshFile mesh;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < around; ++j) {
      if (i > 0) add_triangle(mesh, at(i, j), at(i + 1, j), at(i, j + 1));
      if (i + 1 < rows) add_triangle(mesh, at(i, j + 1), at(i + 1, j), at(i + 1, j + 1));
    }
  }
  return mesh;
}

/// The mesh with each triangle turned inside out.
inline MeshFile reversed(MeshFile mesh) {
  for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  return mesh;
}

inline MeshFile moved(MeshFile mesh, const Pose& pose) {
  for (Vec3& p : mesh.points) p = pose.to_world(p);
  return mesh;
}

}  // namespace scree::test
