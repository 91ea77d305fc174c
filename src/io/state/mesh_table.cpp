#include "scree/io/state/mesh_table.hpp"

#include <algorithm>
#include <cmath>

#include "scree/geometry/hulls/shape_library.hpp"

namespace scree {
namespace {

constexpr const char* kMeshes = "meshes";
constexpr int kNumbers = 8;

/// Area, position and orientation in the file.
std::array<double, kNumbers> numbers_of_mesh(const MeshSummary& mesh) {
  const Vec3& p = mesh.in_file.position;
  const Quat& q = mesh.in_file.orientation;
  return {mesh.area, p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()};
}

/// Machines may round what follows from the file differently.
bool same(const PackedMesh& mesh, const std::int64_t* triangles, const double* numbers) {
  constexpr double kRounding = 1e-9;
  const std::array<double, kNumbers> own = numbers_of_mesh(mesh);
  const double size = mesh.bounding_radius + mesh.in_file.position.norm();
  bool is_same = std::ssize(mesh.facets) == triangles[0] && mesh.checksum == triangles[1];
  for (int k = 0; k < kNumbers; ++k) {
    const double unit = k == 0 ? mesh.area : k < 4 ? size : 1.0;
    is_same = is_same && std::abs(own[k] - numbers[k]) <= kRounding * unit;
  }
  return is_same;
}

}  // namespace

std::optional<StateGroup> mesh_table(const ShapeLibrary& shapes) {
  if (shapes.meshes().empty()) return std::nullopt;
  std::vector<std::int64_t> triangles;
  std::vector<double> numbers;
  for (const auto& one : shapes.meshes()) {
    triangles.push_back(std::ssize(one->mesh.facets));
    triangles.push_back(one->mesh.checksum);
    const auto own = numbers_of_mesh(one->mesh);
    numbers.insert(numbers.end(), own.begin(), own.end());
  }
  return StateGroup{.name = kMeshes,
                    .common = true,
                    .arrays = {{"triangles", "1", 2, std::move(triangles)},
                               {"area_and_place", "SI", kNumbers, std::move(numbers)}}};
}

std::int32_t other_mesh(const ShapeLibrary& shapes, const std::vector<StateGroup>& tables) {
  if (shapes.meshes().empty()) return -1;
  const std::vector<NumberArray>& arrays = arrays_of(tables, kMeshes);
  const auto& triangles = numbers_of<std::int64_t>(arrays, "triangles", 2);
  const auto& numbers = numbers_of<double>(arrays, "area_and_place", kNumbers);
  for (std::size_t i = 0; i < shapes.meshes().size(); ++i) {
    if (2 * i < triangles.size() &&
        same(shapes.meshes()[i]->mesh, &triangles[2 * i], &numbers[kNumbers * i])) {
      continue;
    }
    return static_cast<std::int32_t>(i);
  }
  return -1;
}

}  // namespace scree
