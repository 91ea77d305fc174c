#include <cmath>

#include "around_mesh.hpp"
#include "core_borders.hpp"
#include "face_beyond.hpp"
#include "geometry/pairs/convex/deepest.hpp"
#include "mesh_contact.hpp"
#include "through_face.hpp"

namespace scree {
namespace {

/// A capsule or polytope and one triangle.
class CoreAndTriangle {
 public:
  CoreAndTriangle(const CoreShape& a, const GrainOutline& outline, const Pose& pose_a,
                  const MeshSurface& b, const Pose& pose_b)
      : core_(a, outline.pose.orientation.toRotationMatrix(), Vec3::Zero()),
        outline_(outline),
        b_(b),
        mesh_(b.mesh()),
        pose_b_(pose_b),
        borders_({a, pose_a}, core_, outline, b, pose_b) {}

  void operator()(std::int32_t t, int side, MeshPoints& points) {
    const Vec3 normal = side * mesh_.facets[t].normal;
    const double lowest =
        height_over(mesh_.facets[t], normal, core_, outline_, core_.vertex(core_.support(-normal)));
    if (lowest > points.margin()) return;
    add_of_plane(t, side, normal, points);
    borders_.add(t, side, points);
  }

 private:
  /// The core's vertices above the triangle.
  void add_of_plane(std::int32_t t, int side, const Vec3& normal, MeshPoints& points) const {
    for (std::int32_t v = 0; v < std::ssize(core_.hull().vertices); ++v) {
      const Vec3 vertex = core_.vertex(v);
      const double height = height_over(mesh_.facets[t], normal, core_, outline_, vertex);
      if (height > points.margin()) continue;
      const Vec3 foot = outline_.pose.position + vertex - (height + core_.radius()) * normal;
      const double crack = 1e-9 * outline_.inscribed + 1e-3 * std::abs(height);
      const double beyond = beyond_face(mesh_.facets[t], side, foot, crack);
      const auto point = [&] {
        return mesh_point(pose_b_, foot, normal, height,
                          pair_feature(vertex_feature(v), number_of_face(mesh_, t)));
      };
      if (beyond == 0.0 && is_through(t, vertex, height)) {
        points.add(point());
      } else if (beyond <= points.margin() && height >= 0.0) {
        points.add_ahead(point());
      }
    }
  }

  /// Whether a vertex that is below a triangle came there through its face.
  bool is_through(std::int32_t t, const Vec3& vertex, double height) const {
    if (height + core_.radius() > -1e-9 * outline_.inscribed) return true;
    const Vec3& centre = outline_.pose.position;
    return is_through_face(b_, t, centre, centre + vertex);
  }

  Core core_;  ///< in the mesh's axes, about the grain's centre
  const GrainOutline& outline_;
  const MeshSurface& b_;
  const PackedMesh& mesh_;
  const Pose& pose_b_;
  CoreBorders borders_;
};

}  // namespace

Manifold mesh_contact(const CoreShape& a, double inscribed, double bounding, const Pose& pose_a,
                      const MeshSurface& b, const Pose& pose_b, double margin) {
  const GrainOutline outline{pose_in(pose_b, pose_a), inscribed, bounding};
  CoreAndTriangle pair(a, outline, pose_a, b, pose_b);
  return around_mesh(
      outline, b, pose_b, margin,
      [&pair](std::int32_t t, int side, MeshPoints& points) { pair(t, side, points); });
}

}  // namespace scree
