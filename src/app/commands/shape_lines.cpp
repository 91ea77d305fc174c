#include "shape_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/shapes/clump.hpp"
#include "scree/geometry/shapes/mesh.hpp"
#include "scree/geometry/shapes/polyhedron.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

/// Share of the hull's volume below which rounding and flat facets may make the difference.
constexpr double kWorthTelling = 0.01;
/// Gap of parts that touch, over the least inscribed radius: places in files are rounded.
constexpr double kTouching = 1e-6;

/// Along the axes of the file, m.
Vec3 size_in_file(const PackedMesh& mesh) {
  Vec3 low = mesh.in_file.to_world(mesh.vertices[0]);
  Vec3 high = low;
  for (const Vec3& vertex : mesh.vertices) {
    const Vec3 p = mesh.in_file.to_world(vertex);
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  return high - low;
}

std::vector<std::string> lines_of_mesh(const MeshSpec& spec) {
  const PackedMesh& mesh = spec.surface->mesh;
  const Vec3 size = size_in_file(mesh);
  std::string text = fmt::format("{} triangles, {:.4g} x {:.4g} x {:.4g} m, area {:.4g} m^2",
                                 mesh.facets.size(), size.x(), size.y(), size.z(), mesh.area);
  if (spec.is_sheet()) {
    text += ", a sheet: both sides hold";
  } else if (mesh.volume > 0.0) {
    text += fmt::format(", a solid of {:.4g} m^3", mesh.volume);
  }
  std::vector<std::string> lines = {text};
  for (const std::string& sentence : warnings(mesh)) lines.push_back("note: " + sentence);
  return lines;
}

std::vector<std::string> lines_of_hull(const MeshPolyhedron& polyhedron) {
  const double enclosed = polyhedron.enclosed;
  const double hull = polyhedron.hull->volume;
  if (enclosed <= 0.0 || enclosed >= (1.0 - kWorthTelling) * hull) return {};
  const double unit = polyhedron.scale * polyhedron.scale * polyhedron.scale;
  return {fmt::format(
      "note: the convex hull is {:.4g} m^3, the file's triangles enclose {:.4g} m^3: hollows are "
      "filled; as a wall or tool `type: mesh` keeps them",
      unit * hull, unit * enclosed)};
}

/// Whether the part @p i touches another, or is in it.
bool touches_another(const ScaledClump& clump, std::size_t i) {
  for (std::size_t k = 0; k < clump.size(); ++k) {
    const Pose here;
    if (k != i && contacts_between(clump.part(i), clump.pose_of(i, here), clump.part(k),
                                   clump.pose_of(k, here), clump.library, 0.0)
                          .deepest()
                          .gap <= kTouching * clump.inscribed_radius()) {
      return true;
    }
  }
  return clump.size() == 1;
}

std::vector<std::string> lines_of_clump(const ClumpSpec& spec) {
  const ScaledClump clump = spec.geometry();
  double sum = 0.0;
  for (const ClumpParts::Part& part : clump.clump.parts) sum += volume(part.shape, clump.library);
  std::vector<std::string> lines = {
      fmt::format("{} parts, {:.4g} m^3", clump.size(), clump.volume())};
  const double shared = sum - clump.volume();
  if (shared > kWorthTelling * clump.volume()) {
    lines.front() += fmt::format(", without {:.4g} that would count more than once", shared);
  }
  for (std::size_t i = 0; i < clump.size(); ++i) {
    if (touches_another(clump, i)) continue;
    lines.push_back(
        fmt::format("note: part {} touches no other; it is one body with them nonetheless", i + 1));
  }
  return lines;
}

}  // namespace

std::vector<std::string> lines_of_shape(DeclaredShape shape) {
  if (const ClumpSpec* clump = clump_spec_of(shape)) return lines_of_clump(*clump);
  if (const MeshSpec* mesh = mesh_spec_of(shape)) return lines_of_mesh(*mesh);
  if (const MeshPolyhedron* hull = mesh_of(shape)) return lines_of_hull(*hull);
  return {};
}

std::vector<std::string> lines_of_shape(GrainShape shape) {
  if (const ClumpSpec* clump = clump_spec_of(shape)) return lines_of_clump(*clump);
  if (const MeshPolyhedron* hull = mesh_of(shape)) return lines_of_hull(*hull);
  return {};
}

}  // namespace scree
