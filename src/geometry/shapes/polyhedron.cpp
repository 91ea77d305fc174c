#include "scree/geometry/shapes/polyhedron.hpp"

#include <limits>

#include "geometry/meshes/mesh_file.hpp"
#include "geometry/pairs/convex/core.hpp"
#include "geometry/pairs/convex/deepest.hpp"
#include "scree/config/declaration.hpp"
#include "scree/geometry/meshes/triangle_mesh.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {
namespace {

/// Whether the foot of @p p on the plane of @p face is in the face.
bool foot_is_inside(const Hull& hull, const Hull::Face& face, const Vec3& p) {
  const auto loop = hull.loop(face);
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vec3& start = hull.vertices[loop[k]];
    const Vec3& end = hull.vertices[loop[(k + 1) % loop.size()]];
    if ((end - start).cross(face.normal).dot(p - start) > 0.0) return false;
  }
  return true;
}

/// The face from whose plane @p p is farthest out.
const Hull::Face& outermost_face(const Hull& hull, const Vec3& p) {
  std::size_t best = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const double height = hull.faces[f].normal.dot(p) - hull.faces[f].offset;
    if (height <= most) continue;
    most = height;
    best = f;
  }
  return hull.faces[best];
}

}  // namespace

Vec3 ScaledHull::support(const Vec3& direction) const {
  return scale * hull.vertices[farthest_vertex(hull, direction)];
}

Box3 ScaledHull::bounds(const Mat3& rotation) const {
  Box3 box;
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 direction = rotation.row(axis).transpose();
    box.low[axis] = direction.dot(support(-direction));
    box.high[axis] = direction.dot(support(direction));
  }
  return box;
}

SurfacePoint ScaledHull::nearest(const Vec3& p) const {
  const Vec3 q = p / scale;
  const Hull::Face& face = outermost_face(hull, q);
  const double height = face.normal.dot(q) - face.offset;
  if (height <= 0.0 || foot_is_inside(hull, face, q)) {
    return {p - scale * height * face.normal, face.normal, scale * height};
  }
  const DeepestPoint deepest = deepest_point(Core(core_of(*this), Mat3::Identity(), Vec3::Zero()),
                                             Core(core_of(Sphere{}), Mat3::Identity(), p));
  return {p + deepest.gap * deepest.normal, -deepest.normal, deepest.gap};
}

std::shared_ptr<const Hull> MeshPolyhedron::unread() {
  static const auto kCube = std::make_shared<const Hull>(cuboid(Vec3::Constant(0.5)));
  return kCube;
}

void MeshPolyhedron::declare(Declaration& d) {
  d.file("file", file,
         [this](std::string_view bytes) {
           const MeshFile mesh = read_mesh(file, bytes);
           hull = std::make_shared<const Hull>(hull_of(mesh.points, file.string()));
           if (!mesh.triangles.empty()) {
             enclosed = triangle_mesh(mesh, 1.0, file.string()).volume;
           }
         },
         {.help = "mesh, as OFF, STL, OBJ or PLY: the convex hull of its vertices; its longest "
                  "extent below "
                  "1000 times its shortest",
          .required = true});
  d.real("scale", scale,
         {.help = "length of the file's unit; not used where there are radii",
          .unit = "m",
          .above = 0.0});
  d.require("file", !file.empty(), "names no file; allowed: a mesh, .off, .stl, .obj or .ply");
}

}  // namespace scree
