#include "around_mesh.hpp"
#include "geometry/pairs/convex/deepest.hpp"
#include "mesh_contact.hpp"

namespace scree {
namespace {

/// A ball at the centre of @p a and one triangle.
class BallAndTriangle {
 public:
  BallAndTriangle(const GrainOutline& a, const MeshSurface& b, const Pose& pose_b)
      : a_(a), mesh_(b.mesh()), pose_b_(pose_b) {}

  void operator()(std::int32_t t, int side, MeshPoints& points) const {
    const Vec3& centre = a_.pose.position;
    const Facet& facet = mesh_.facets[t];
    const Vec3 normal = side * facet.normal;
    const double height = normal.dot(centre - facet.corners[0]);
    if (height - a_.inscribed > points.margin()) return;
    const NearestOnTriangle on = nearest_on_triangle(facet.corners, centre);
    if (on.part == TrianglePart::face) {
      points.add(point_of(on.point, normal, height, number_of_face(mesh_, t)));
      return;
    }
    const Vec3 away = centre - on.point;
    const double distance = away.norm();
    const bool is_near = distance - a_.inscribed <= points.margin();
    const Vec3 direction = distance > 0.0 ? Vec3(away / distance) : normal;
    if (on.part == TrianglePart::edge) {
      const Vec3 foot = centre - height * normal;
      const double beyond = (foot - on.point).norm();
      const bool is_ahead = beyond <= points.margin();
      if (!is_near && !is_ahead) return;
      const std::int32_t edge = facet.edges[on.place];
      const TriangleMesh::Bend bend = bend_from(facet.bends[on.place], side);
      const bool is_over_neighbour = facet.is_gentle(on.place) &&
                                     bend != TriangleMesh::Bend::convex &&
                                     beyond > 4.0 * kOffCone * distance;
      if (!is_over_neighbour && belongs_to_edge(mesh_, edge, direction)) {
        if (is_near)
          points.add(point_of(on.point, direction, distance, number_of_edge(mesh_, edge)));
        return;
      }
      if (is_ahead && bend == TriangleMesh::Bend::concave) {
        points.add_ahead(point_of(foot, normal, height, number_of_face(mesh_, t)));
      }
      return;
    }
    if (!is_near) return;
    const std::int32_t vertex = facet.vertices[on.place];
    if (belongs_to_vertex(mesh_, vertex, direction)) {
      points.add(point_of(on.point, direction, distance, number_of_vertex(mesh_, vertex)));
    }
  }

 private:
  ContactPoint point_of(const Vec3& surface, const Vec3& normal, double distance,
                        std::int64_t number) const {
    return mesh_point(pose_b_, surface, normal, distance - a_.inscribed, pair_feature(0, number));
  }

  const GrainOutline& a_;
  const PackedMesh& mesh_;
  const Pose& pose_b_;
};

}  // namespace

Manifold mesh_contact(const Sphere& a, const Pose& pose_a, const MeshSurface& b, const Pose& pose_b,
                      double margin) {
  const GrainOutline outline{pose_in(pose_b, pose_a), a.radius, a.radius};
  return around_mesh(outline, b, pose_b, margin, BallAndTriangle(outline, b, pose_b));
}

}  // namespace scree
