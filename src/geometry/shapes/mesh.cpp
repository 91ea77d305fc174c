#include "scree/geometry/shapes/mesh.hpp"

#include <fmt/format.h>

#include <any>
#include <cmath>

#include "geometry/meshes/mesh_file.hpp"
#include "scree/config/declaration.hpp"

namespace scree {
namespace {

/// The triangle about the nearest point that the given point is most clearly on a side of: at an
/// edge or a corner the others of them see it along their planes.
std::int32_t clearest_triangle(const SearchableMesh& surface, const TriangleTree::Nearest& nearest,
                               const Vec3& p) {
  const Vec3 away = p - nearest.on.point;
  const Vec3 near = Vec3::Constant(1e-9 * (nearest.distance + surface.mesh.bounding_radius));
  std::int32_t best = nearest.facet;
  double most = std::abs(surface.mesh.facets[best].normal.dot(away));
  surface.tree.for_each_in({nearest.on.point - near, nearest.on.point + near}, [&](std::int32_t t) {
    const Vec3 on = nearest_on_triangle(surface.mesh.facets[t].corners, nearest.on.point).point;
    if ((on - nearest.on.point).norm() > near.x()) return;
    const double height = std::abs(surface.mesh.facets[t].normal.dot(away));
    if (height <= most) return;
    most = height;
    best = t;
  });
  return best;
}

}  // namespace

SurfacePoint MeshSurface::nearest(const Vec3& p) const {
  const TriangleTree::Nearest nearest = surface.tree.nearest(p);
  const Vec3 away = p - nearest.on.point;
  const std::int32_t triangle = nearest.on.part == TrianglePart::face
                                    ? nearest.facet
                                    : clearest_triangle(surface, nearest, p);
  const Vec3& out = mesh().facets[triangle].normal;
  const bool is_behind = !is_sheet && out.dot(away) < 0.0;
  const double distance = is_behind ? -nearest.distance : nearest.distance;
  // on the surface to rounding there is no direction but that of the triangle
  const bool is_apart = nearest.distance > 1e-12 * mesh().bounding_radius;
  return {nearest.on.point, is_apart ? Vec3(away / distance) : out, distance};
}

/// That of its box in its own frame, turned.
Box3 MeshSurface::bounds(const Mat3& rotation) const {
  const Box3& own = mesh().box;
  const Vec3 centre = rotation * (0.5 * (own.low + own.high));
  const Vec3 half = rotation.cwiseAbs() * (0.5 * (own.high - own.low));
  return {centre - half, centre + half};
}

std::shared_ptr<const SearchableMesh> MeshSpec::unread() {
  static const auto kCube = [] {
    const MeshFile cube{
        {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}},
        {{0, 2, 1},
         {0, 3, 2},
         {4, 5, 6},
         {4, 6, 7},
         {0, 1, 5},
         {0, 5, 4},
         {1, 2, 6},
         {1, 6, 5},
         {2, 3, 7},
         {2, 7, 6},
         {3, 0, 4},
         {3, 4, 7}}};
    return std::make_shared<const SearchableMesh>(triangle_mesh(cube, 1.0, "a cube"));
  }();
  return kCube;
}

void MeshSpec::declare(Declaration& d) {
  d.real("scale", scale, {.help = "length of the file's unit", .unit = "m", .above = 0.0});
  using Surface = std::shared_ptr<const SearchableMesh>;
  d.large_file(
      "file", file, fmt::format("mesh, scale {}", scale),
      [this](std::string_view bytes) -> std::any {
        return Surface(std::make_shared<const SearchableMesh>(
            triangle_mesh(read_mesh(file, bytes), scale, file.string())));
      },
      [this](const std::any& made) { surface = std::any_cast<const Surface&>(made); },
      {.help = "triangles, as STL, OBJ, OFF or PLY, in metres times `scale`", .required = true});
  d.enumeration("sides", sides,
                {.help = "which sides of its triangles hold: `one`, the outside of a closed mesh, "
                         "which is a solid; `both`, a sheet without thickness; `by_closure`: one "
                         "where the mesh is closed, else both"});
  d.require("file", !file.empty(), "names no file; allowed: a mesh, .stl, .obj, .off or .ply");
  const MeshDiagnosis& found = surface->mesh.diagnosis;
  d.require(
      "sides", sides != MeshSides::one || surface->mesh.closed,
      fmt::format("is `one`, but the mesh is not closed ({} open, {} flipped and {} crowded "
                  "edges), so that it has no inside; allowed: `both`, or a mesh without these",
                  found.open_edges, found.flipped_edges, found.crowded_edges));
}

}  // namespace scree
