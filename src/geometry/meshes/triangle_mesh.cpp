#include "scree/geometry/meshes/triangle_mesh.hpp"

#include <algorithm>
#include <utility>

#include "geometry/hulls/mass_properties.hpp"
#include "mesh_file.hpp"
#include "topology.hpp"
#include "weld.hpp"

namespace scree {
namespace {

constexpr double kNoThickness = 1e-9;  // volume over area and extent: nothing but rounding

/// Twice the area of @p triangle, along its normal.
Vec3 twice_area(const TriangleMesh& mesh, const std::array<std::int32_t, 3>& triangle) {
  const Vec3& origin = mesh.vertices[triangle[0]];
  return (mesh.vertices[triangle[1]] - origin).cross(mesh.vertices[triangle[2]] - origin);
}

/// Sets area, volume, inertia and pose. Returns the mass properties: those of the solid where the
/// mesh bounds one, of the shell elsewhere.
MassProperties add_mass(TriangleMesh& mesh) {
  const MassProperties shell = mass_of_shell(mesh.vertices, mesh.triangles);
  mesh.area = shell.size;
  if (!mesh.closed) return shell;
  const MassProperties solid = mass_of_solid(mesh.vertices, mesh.triangles);
  const double least = kNoThickness * mesh.area * mesh.diagnosis.extent;
  mesh.diagnosis.inward = solid.size < -least;
  if (solid.size <= least) return shell;
  mesh.volume = solid.size;
  return solid;
}

/// A checksum of the vertices' numbers (G. Fowler, L. C. Noll and P. Vo).
std::int64_t checksum_of(const std::vector<std::array<std::int32_t, 3>>& triangles) {
  std::uint64_t sum = 14695981039346656037U;
  for (const auto& corners : triangles) {
    for (const std::int32_t corner : corners) {
      sum = (sum ^ static_cast<std::uint64_t>(corner)) * 1099511628211U;
    }
  }
  return static_cast<std::int64_t>(sum);
}

/// Moves the mesh from the frame of its file to the centre of its mass and its principal axes.
void center(TriangleMesh& mesh, const MassProperties& mass) {
  const Mat3 axes = principal_axes(mass.covariance);
  const Vec3 spread = (axes.transpose() * mass.covariance * axes).diagonal();
  mesh.inertia_per_mass = Vec3::Constant(spread.sum()) - spread;
  mesh.in_file = {mass.centre, Quat(axes)};
  for (Vec3& p : mesh.vertices) {
    p = axes.transpose() * (p - mass.centre);
    mesh.bounding_radius = std::max(mesh.bounding_radius, p.norm());
  }
}

}  // namespace

TriangleMesh triangle_mesh(const MeshFile& file, double scale, std::string_view name) {
  WeldedMesh welded = weld(file, scale, name);
  TriangleMesh mesh;
  mesh.vertices = std::move(welded.vertices);
  mesh.triangles = std::move(welded.triangles);
  mesh.checksum = checksum_of(mesh.triangles);
  mesh.diagnosis.read = static_cast<std::int64_t>(file.triangles.size());
  mesh.diagnosis.degenerate = welded.degenerate;
  mesh.diagnosis.duplicate = welded.duplicate;
  mesh.diagnosis.extent = welded.extent;
  add_edges(mesh);
  center(mesh, add_mass(mesh));
  mesh.normals.reserve(mesh.triangles.size());
  for (const auto& triangle : mesh.triangles) {
    mesh.normals.push_back(twice_area(mesh, triangle).stableNormalized());
  }
  add_bends(mesh);
  return mesh;
}

}  // namespace scree
