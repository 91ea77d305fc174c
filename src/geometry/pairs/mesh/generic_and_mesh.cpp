#include <algorithm>
#include <cmath>
#include <optional>

#include "around_mesh.hpp"
#include "edge_wedge.hpp"
#include "face_beyond.hpp"
#include "geometry/pairs/convex/deepest.hpp"
#include "geometry/pairs/generic/generic_contact.hpp"
#include "mesh_contact.hpp"
#include "through_face.hpp"

namespace scree {
namespace {

/// Sine of the greatest angle at which a flat or a line counts as looking along a triangle's
/// normal.
constexpr double kFacingTriangle = 0.01;
/// Sine of the angle by which a common normal may leave the cone of an edge: that of a
/// superellipsoid with flats is known to 1e-5.
constexpr double kOffEdge = 1e-4;

/// A body that answers to directions and one triangle: its points nearest to the plane, where they
/// are above the triangle, and those that it has with the edges that stand out.
class GenericAndTriangle {
 public:
  GenericAndTriangle(const ConvexShape& a, const GrainOutline& outline, const MeshSurface& b,
                     const Pose& pose_b)
      : a_(a),
        body_(a, outline.pose, Vec3::Zero()),
        outline_(outline),
        b_(b),
        mesh_(b.mesh()),
        pose_b_(pose_b) {}

  /// Out of an edge that the body has sunk over near its end, where the least way is neither the
  /// edge's nor a corner's: for a body that has no other point.
  const std::optional<ContactPoint>& past_end() const { return past_end_; }

  void operator()(std::int32_t t, int side, MeshPoints& points) {
    const Vec3 normal = side * mesh_.facets[t].normal;
    const Vec3 lowest = body_.support(-normal);
    if (height_over_plane(t, normal, lowest) > points.margin()) return;
    bool has_lowest = false;
    const SupportingFace face = body_.supporting_face(-normal, kFacingTriangle);
    for (const SupportingFace::Corner& corner : face.corners) {
      if (face.corners.size() == 1) break;
      add_of_plane(t, side, normal, corner.point, 1 + corner.number, points);
      const double above = normal.dot(corner.point - lowest);
      has_lowest = has_lowest || above <= 1e-10 * outline_.bounding;
    }
    if (!has_lowest) add_of_plane(t, side, normal, lowest, 0, points);
    for (int k = 0; k < 3; ++k) add_of_edge(mesh_.facets[t], k, side, points);
  }

 private:
  double height_over_plane(std::int32_t t, const Vec3& normal, const Vec3& p) const {
    return normal.dot(p - mesh_.facets[t].corners[0]);
  }

  void add_of_plane(std::int32_t t, int side, const Vec3& normal, const Vec3& p,
                    std::int32_t number, MeshPoints& points) const {
    const double height = height_over_plane(t, normal, p);
    if (height > points.margin()) return;
    const Vec3 foot = p - height * normal;
    const double crack = 1e-9 * outline_.inscribed + 1e-3 * std::abs(height);
    const double beyond = beyond_face(mesh_.facets[t], side, foot, crack);
    const ContactPoint point =
        mesh_point(pose_b_, foot, normal, height, pair_feature(number, number_of_face(mesh_, t)));
    if (beyond == 0.0 && came_through(t, p, height)) {
      points.add(point);
    } else if (beyond <= points.margin() && height >= 0.0) {
      points.add_ahead(point);
    }
  }

  /// Whether a point that is below a triangle came there through its face.
  bool came_through(std::int32_t t, const Vec3& p, double height) const {
    return height > -1e-9 * outline_.inscribed || is_through_face(b_, t, outline_.pose.position, p);
  }

  void add_of_edge(const Facet& facet, int k, int side, MeshPoints& points) {
    const TriangleMesh::Bend bend = bend_from(facet.bends[k], side);
    if (bend == TriangleMesh::Bend::flat || bend == TriangleMesh::Bend::concave) return;
    const std::int32_t e = facet.edges[k];
    const TriangleMesh::Edge& edge = mesh_.edges[e];
    const Vec3& start = mesh_.vertices[edge.start];
    const Vec3 along = mesh_.vertices[edge.end] - start;
    const double length = along.norm();
    const double share =
        std::clamp(along.dot(outline_.pose.position - start) / (length * length), 0.0, 1.0);
    const double distance = (start + share * along - outline_.pose.position).norm();
    if (distance - outline_.bounding > points.margin()) return;
    const Pose place{start + 0.5 * along, Quat::Identity()};
    const EdgeWedge wedge{
        {-0.5 * along, 0.5 * along, third_corner(edge, edge.left) - place.position,
         third_corner(edge, bend == TriangleMesh::Bend::open ? edge.left : edge.right) -
             place.position}};
    const Manifold found =
        generic_contact(a_, outline_.pose, ConvexShape(wedge), place, points.margin());
    points.note(found.status);
    // what a common normal is known to, over the size of the pair
    const double near = 1e-6 * (length + outline_.bounding + wedge.bounding_radius());
    for (const ContactPoint& p : found) {
      add_of_line(edge, e, p, {along / length, length, near}, points);
    }
    const ContactPoint& out = found.deepest();
    if (out.gap >= 0.0 || (past_end_ && past_end_->gap >= out.gap)) return;
    past_end_ = mesh_point(pose_b_, out.point_b, out.normal, out.gap,
                           pair_feature(0, number_of_edge(mesh_, e)));
  }

  const Vec3& third_corner(const TriangleMesh::Edge& edge, std::int32_t triangle) const {
    const std::array<std::int32_t, 3>& corners = mesh_.facets[triangle].vertices;
    return mesh_.vertices[*std::ranges::find_if(
        corners, [&edge](std::int32_t v) { return v != edge.start && v != edge.end; })];
  }

  struct Line {
    Vec3 unit;
    double length;
    double near;  ///< a point within it is on the line, m
  };

  /// A point of an edge, where it belongs to that or to the end that it is at.
  void add_of_line(const TriangleMesh::Edge& edge, std::int32_t e, const ContactPoint& p,
                   const Line& line, MeshPoints& points) const {
    const auto& [unit, length, near] = line;
    const Vec3 from_start = p.point_b - mesh_.vertices[edge.start];
    const double place = unit.dot(from_start);
    if (unit.cross(from_start).norm() > near) return;
    std::int64_t number = number_of_edge(mesh_, e);
    if (place > near && place < length - near) {
      const bool is_across = std::abs(p.normal.dot(unit)) <= kOffEdge;
      if (!is_across || !belongs_to_edge(mesh_, e, p.normal, kOffEdge)) return;
    } else {
      const std::int32_t vertex = place <= near ? edge.start : edge.end;
      number = number_of_vertex(mesh_, vertex);
      if (!belongs_to_vertex(mesh_, vertex, p.normal, kOffEdge)) return;
    }
    points.add(mesh_point(pose_b_, p.point_b, p.normal, p.gap,
                          pair_feature(feature_of_a(p.feature), number)));
  }

  const ConvexShape& a_;
  PlacedConvex body_;  ///< in the mesh's frame
  const GrainOutline& outline_;
  const MeshSurface& b_;
  const PackedMesh& mesh_;
  const Pose& pose_b_;
  std::optional<ContactPoint> past_end_;
};

}  // namespace

Manifold mesh_contact(const ConvexShape& a, const Pose& pose_a, const MeshSurface& b,
                      const Pose& pose_b, double margin) {
  const GrainOutline outline{pose_in(pose_b, pose_a), a.inscribed_radius(), a.bounding_radius()};
  GenericAndTriangle pair(a, outline, b, pose_b);
  Manifold found =
      around_mesh(outline, b, pose_b, margin,
                  [&pair](std::int32_t t, int side, MeshPoints& points) { pair(t, side, points); });
  const bool is_none = found.deepest().feature == 0 && found.deepest().gap > 0.0;
  return is_none && pair.past_end() ? alone(*pair.past_end()) : found;
}

}  // namespace scree
