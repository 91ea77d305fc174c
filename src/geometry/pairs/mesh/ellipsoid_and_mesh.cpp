#include <algorithm>
#include <cmath>

#include "around_mesh.hpp"
#include "face_beyond.hpp"
#include "geometry/pairs/convex/deepest.hpp"
#include "geometry/pairs/ellipsoid/ellipsoid_features.hpp"
#include "mesh_contact.hpp"
#include "through_face.hpp"

namespace scree {
namespace {

/// An ellipsoid and one triangle: its point nearest to the plane, where that is above the triangle,
/// and its nearest points to the edges and corners that stand out.
class EllipsoidAndTriangle {
 public:
  EllipsoidAndTriangle(const Ellipsoid& a, const GrainOutline& outline, const MeshSurface& b,
                       const Pose& pose_b)
      : semi_axes_(a.axes()),
        outline_(outline),
        turn_(outline.pose.orientation.toRotationMatrix()),
        b_(b),
        mesh_(b.mesh()),
        pose_b_(pose_b) {}

  void operator()(std::int32_t t, int side, MeshPoints& points) const {
    if (!add_of_plane(t, side, points)) return;
    for (int k = 0; k < 3; ++k) add_of_edge(mesh_.facets[t], k, side, points);
  }

 private:
  /// False where the whole ellipsoid is further from the plane than the margin.
  bool add_of_plane(std::int32_t t, int side, MeshPoints& points) const {
    const Vec3 normal = side * mesh_.facets[t].normal;
    const Vec3 lowest = surface_point(-normal);
    const double height = normal.dot(lowest - mesh_.facets[t].corners[0]);
    if (height > points.margin()) return false;
    const Vec3 foot = lowest - height * normal;
    const double crack = 1e-9 * outline_.inscribed + 1e-3 * std::abs(height);
    const double beyond = beyond_face(mesh_.facets[t], side, foot, crack);
    const auto point = [&] {
      return mesh_point(pose_b_, foot, normal, height, pair_feature(0, number_of_face(mesh_, t)));
    };
    if (beyond == 0.0 && is_through(t, lowest, height)) {
      points.add(point());
    } else if (beyond <= points.margin() && height >= 0.0) {
      points.add_ahead(point());
    }
    return true;
  }

  /// Whether a point that is below a triangle came there through its face.
  bool is_through(std::int32_t t, const Vec3& lowest, double height) const {
    return height > -1e-9 * outline_.inscribed ||
           is_through_face(b_, t, outline_.pose.position, lowest);
  }

  /// Whether the edge comes within the margin of the ellipsoid's bounding ball.
  bool is_in_ball(const TriangleMesh::Edge& edge, double margin) const {
    const Vec3 start = mesh_.vertices[edge.start] - outline_.pose.position;
    const Vec3 along = mesh_.vertices[edge.end] - mesh_.vertices[edge.start];
    const double share = std::clamp(-along.dot(start) / along.squaredNorm(), 0.0, 1.0);
    const double reach = (1.0 + 1e-9) * (outline_.bounding + std::max(margin, 0.0));
    return (start + share * along).squaredNorm() <= reach * reach;
  }

  void add_of_edge(const Facet& facet, int k, int side, MeshPoints& points) const {
    const TriangleMesh::Bend bend = bend_from(facet.bends[k], side);
    if (bend == TriangleMesh::Bend::flat || bend == TriangleMesh::Bend::concave) return;
    const std::int32_t e = facet.edges[k];
    const TriangleMesh::Edge& edge = mesh_.edges[e];
    if (!is_in_ball(edge, points.margin())) return;
    const SegmentDistance found =
        distance_to_segment(semi_axes_, outline_.pose.to_body(mesh_.vertices[edge.start]),
                            outline_.pose.to_body(mesh_.vertices[edge.end]));
    if (found.distance > points.margin() || (found.distance < 0.0 && !found.stationary)) return;
    const Vec3 normal = -(turn_ * found.outward);
    std::int64_t number = number_of_edge(mesh_, e);
    bool belongs = false;
    if (found.at == SegmentDistance::At::inside) {
      belongs = belongs_to_edge(mesh_, e, normal);
    } else {
      const bool is_start = found.at == SegmentDistance::At::start;
      const std::int32_t vertex = is_start ? edge.start : edge.end;
      number = number_of_vertex(mesh_, vertex);
      belongs = belongs_to_vertex(mesh_, vertex, normal);
    }
    if (!belongs) return;
    const Vec3 surface = surface_point(-normal) - found.distance * normal;
    points.add(mesh_point(pose_b_, surface, normal, found.distance, pair_feature(0, number)));
  }

  /// The ellipsoid's farthest point along @p direction, mesh's frame.
  Vec3 surface_point(const Vec3& direction) const {
    return outline_.pose.to_world(support_of(semi_axes_, turn_.transpose() * direction));
  }

  Vec3 semi_axes_;
  const GrainOutline& outline_;
  Mat3 turn_;
  const MeshSurface& b_;
  const PackedMesh& mesh_;
  const Pose& pose_b_;
};

}  // namespace

Manifold mesh_contact(const Ellipsoid& a, const Pose& pose_a, const MeshSurface& b,
                      const Pose& pose_b, double margin) {
  const GrainOutline outline{pose_in(pose_b, pose_a), a.inscribed_radius(), a.bounding_radius()};
  return around_mesh(outline, b, pose_b, margin, EllipsoidAndTriangle(a, outline, b, pose_b));
}

}  // namespace scree
