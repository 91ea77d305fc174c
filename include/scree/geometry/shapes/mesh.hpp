#pragma once

/// Surfaces of triangles from files, for walls and tools: concave, closed or open.
///
/// A closed one is a solid, whose normals look out of it (into it where they look into the hollow:
/// then all around is solid). An open one is a sheet without thickness, that holds on both sides;
/// so is a closed one with `sides: both`.

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string_view>

#include "scree/base/enumeration.hpp"
#include "scree/geometry/meshes/searchable_mesh.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/shape.hpp"

namespace scree {

class Declaration;

struct MeshSpec;

/// One of the shape library's meshes.
struct Mesh {
  static constexpr std::string_view kType = "mesh";
  static constexpr std::string_view kHelp =
      "surface of triangles from a file, concave or open; for walls and tools";
  using Declared = MeshSpec;  ///< what a configuration says of it

  std::int32_t handle = 0;
  std::int32_t is_sheet = 0;  ///< 1: it holds on both sides
};

/// A mesh with its geometry. Valid as long as that.
struct MeshSurface {
  static constexpr std::string_view kType = Mesh::kType;

  const SearchableMesh& surface;
  bool is_sheet;

  const PackedMesh& mesh() const { return surface.mesh; }
  /// The side of the triangle @p t that @p p is on, which counts as outside: 1 where the normal
  /// looks, -1 on the other side of a sheet; 0 behind a solid's.
  int side_of(std::int32_t t, const Vec3& p) const {
    const Facet& facet = mesh().facets[t];
    if (facet.normal.dot(p - facet.corners[0]) >= 0.0) return 1;
    return is_sheet ? -1 : 0;
  }

  /// The distance from a sheet is not negative.
  SurfacePoint nearest(const Vec3& p) const;
  Box3 bounds(const Mat3& rotation) const;
  double volume() const {
    return mesh().volume > 0.0 && !is_sheet ? mesh().volume
                                            : std::numeric_limits<double>::infinity();
  }
  Vec3 inertia_per_mass() const { return mesh().inertia_per_mass; }
};

/// Which sides of its triangles hold.
enum class MeshSides { by_closure, one, both };
template <>
inline constexpr std::array kNamesOf<MeshSides> = names("by_closure", "one", "both");

/// A mesh as a configuration says it.
struct MeshSpec {
  static constexpr std::string_view kType = Mesh::kType;
  static constexpr std::string_view kHelp = Mesh::kHelp;

  std::filesystem::path file;
  double scale = 1.0;  ///< length of the file's unit, m
  MeshSides sides = MeshSides::by_closure;
  /// The mesh of the file; until it is read a cube.
  std::shared_ptr<const SearchableMesh> surface = unread();
  std::int32_t handle = -1;  ///< of it, once it is in a shape library

  void declare(Declaration& d);

  bool is_sheet() const {
    return sides == MeshSides::both || (sides == MeshSides::by_closure && !surface->mesh.closed);
  }
  MeshSurface geometry() const { return {*surface, is_sheet()}; }
  Mesh held() const { return {handle, is_sheet() ? 1 : 0}; }
  /// Where the mesh's frame is in that of the file.
  Pose frame() const { return surface->mesh.in_file; }

 private:
  static std::shared_ptr<const SearchableMesh> unread();
};

}  // namespace scree
