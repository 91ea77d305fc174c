#pragma once

/// Edges and corners of a mesh that a capsule or polytope touches: those that stand out, along
/// directions that belong to them (mesh_features.hpp).

#include <algorithm>
#include <array>
#include <optional>

#include "around_mesh.hpp"
#include "geometry/pairs/convex/convex_contact.hpp"
#include "geometry/pairs/convex/deepest.hpp"
#include "mesh_features.hpp"
#include "thin_triangle.hpp"

namespace scree {

/// The height of a core's @p point (mesh's axes, about the grain's centre) above the plane of the
/// triangle, less the rounding radius, m.
inline double height_over(const Facet& facet, const Vec3& normal, const Core& core,
                          const GrainOutline& outline, const Vec3& point) {
  return normal.dot(point + outline.pose.position - facet.corners[0]) - core.radius();
}

class CoreBorders {
 public:
  /// @param core that of @p shape in the mesh's axes, about the grain's centre. All stay where they
  /// are.
  CoreBorders(const PlacedShape& shape, const Core& core, const GrainOutline& outline,
              const MeshSurface& b, const Pose& pose_b)
      : shape_(shape),
        core_(core),
        outline_(outline),
        at_a_{shape.pose.position, pose_b.orientation},
        b_(b),
        mesh_(b.mesh()),
        pose_b_(pose_b) {}

  /// Adds the points with edges and corners of the triangle @p t, whose plane the core is within
  /// the margin of, on the side @p side.
  void add(std::int32_t t, int side, MeshPoints& points) {
    const Facet& facet = mesh_.facets[t];
    if (!stands_out(facet, side)) return;
    const Vec3& centre = outline_.pose.position;
    const double reach = (1.0 + 1e-9) * (outline_.bounding + std::max(points.margin(), 0.0));
    if ((nearest_on_triangle(facet.corners, centre).point - centre).squaredNorm() > reach * reach)
      return;
    if (!triangle_) triangle_.emplace();
    const Hull& thin = triangle_->set(facet.corners, facet.normal, centre);
    const Manifold found =
        convex_contact(shape_, {{thin, Vec3::Ones(), 0.0}, at_a_}, points.margin());
    points.note(found.status);
    // Sunk in by more than to the end of an edge, a triangle alone may have a shorter way out than
    // the surface that it is of: then each edge and corner is looked at.
    if (found.deepest().gap < 0.0) {
      for (int k = 0; k < 3; ++k) {
        if (is_border(facet, k, side)) add_crossings(facet.edges[k], points);
        add_under_faces(t, k, points);
      }
    }
    for (ContactPoint point : found) {
      const std::int64_t of_b = feature_of_b(point.feature);
      if (of_b >= ThinTriangle::kVertices + ThinTriangle::kEdges) continue;
      const Vec3 normal = pose_b_.orientation.conjugate() * point.normal;
      const std::optional<std::int64_t> number =
          border_of(facet, side, static_cast<int>(of_b), normal);
      if (!number) continue;
      point.feature = pair_feature(feature_of_a(point.feature), *number);
      points.add(point);
    }
  }

 private:
  static bool is_border(const Facet& facet, int k, int side) {
    const TriangleMesh::Bend bend = bend_from(facet.bends[k], side);
    return bend == TriangleMesh::Bend::open || bend == TriangleMesh::Bend::convex;
  }
  /// Whether anything of the triangle but its face may be touched: a corner that stands out has an
  /// edge that does, and a triangle of that.
  static bool stands_out(const Facet& facet, int side) {
    return is_border(facet, 0, side) || is_border(facet, 1, side) || is_border(facet, 2, side);
  }

  /// Where edges of the core cross the edge @p e, along a normal that both stand out along.
  void add_crossings(std::int32_t e, MeshPoints& points) const {
    const Hull& hull = core_.hull();
    const Vec3 start = mesh_.vertices[mesh_.edges[e].start] - outline_.pose.position;
    const Vec3 along = mesh_.vertices[mesh_.edges[e].end] - outline_.pose.position - start;
    for (std::size_t k = 0; k < hull.edges.size(); ++k) {
      const Hull::Edge& edge = hull.edges[k];
      const Vec3 own_start = core_.vertex(edge.start);
      const Vec3 own_along = core_.vertex(edge.end) - own_start;
      Vec3 normal = along.cross(own_along);
      constexpr double kParallel = 1e-9;
      if (normal.norm() <= kParallel * along.norm() * own_along.norm()) continue;
      const double square = normal.squaredNorm();
      const Vec3 apart = own_start - start;
      const double on_edge = apart.cross(own_along).dot(normal) / square;
      const double on_own = apart.cross(along).dot(normal) / square;
      if (std::min(on_edge, on_own) < 0.0 || std::max(on_edge, on_own) > 1.0) continue;
      normal.normalize();
      for (const Vec3& n : {normal, Vec3(-normal)}) {
        const double gap = n.dot(apart) - core_.radius();
        if (gap > points.margin() || gap < -outline_.inscribed) continue;
        if (!belongs_to_edge(mesh_, e, n) || !core_belongs_to_edge(edge, own_along, -n)) continue;
        if (!is_deeper_in_plane(mesh_.edges[e].left, gap) ||
            !is_deeper_in_plane(mesh_.edges[e].right, gap))
          continue;
        points.add(mesh_point(pose_b_, outline_.pose.position + start + on_edge * along, n, gap,
                              pair_feature(edge_feature(hull, static_cast<std::int32_t>(k)),
                                           number_of_edge(mesh_, e))));
      }
    }
  }

  /// Whether the core's edge is farthest along the unit direction @p n.
  bool core_belongs_to_edge(const Hull::Edge& edge, const Vec3& along, const Vec3& n) const {
    if (edge.left < 0) return true;
    const Vec3 unit = along.normalized();
    return n.dot(core_.normal(edge.left).cross(unit)) <= kOffCone &&
           n.dot(core_.normal(edge.right).cross(-unit)) <= kOffCone;
  }

  /// Whether the core is sunk into the plane of the triangle @p t deeper than by @p gap: else the
  /// way out is through that.
  bool is_deeper_in_plane(std::int32_t t, double gap) const {
    if (t < 0 || gap >= 0.0) return true;
    const int side = b_.side_of(t, outline_.pose.position);
    if (side == 0) return true;
    const Vec3 normal = side * mesh_.facets[t].normal;
    return height_over(mesh_.facets[t], normal, core_, outline_,
                       core_.vertex(core_.support(-normal))) <= gap;
  }

  /// Where the corner @p k of the triangle @p t is under a face of the core.
  void add_under_faces(std::int32_t t, int k, MeshPoints& points) const {
    if (!mesh_.facets[t].has_corner(k)) return;
    const Hull& hull = core_.hull();
    const std::int32_t vertex = mesh_.facets[t].vertices[k];
    const Vec3 corner = mesh_.vertices[vertex] - outline_.pose.position;
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
      const Hull::Face& face = hull.faces[f];
      const Vec3 normal = core_.normal(f);
      const double gap = normal.dot(corner - core_.vertex(hull.loops[face.begin])) - core_.radius();
      if (gap > points.margin() || gap < -outline_.inscribed) continue;
      if (!is_deeper_in_plane(t, gap)) continue;
      if (!is_over_face(face, normal, corner) || !belongs_to_vertex(mesh_, vertex, -normal)) {
        continue;
      }
      points.add(mesh_point(pose_b_, mesh_.vertices[vertex], -normal, gap,
                            pair_feature(face_feature(hull, static_cast<std::int32_t>(f)),
                                         number_of_vertex(mesh_, vertex))));
    }
  }

  bool is_over_face(const Hull::Face& face, const Vec3& normal, const Vec3& p) const {
    const auto loop = core_.hull().loop(face);
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const Vec3 start = core_.vertex(loop[k]);
      const Vec3 along = core_.vertex(loop[(k + 1) % loop.size()]) - start;
      if (along.cross(normal).dot(p - start) > 0.0) return false;
    }
    return true;
  }

  /// The number of an edge or corner of the triangle, where it stands out along @p normal.
  std::optional<std::int64_t> border_of(const Facet& facet, int side, int feature,
                                        const Vec3& normal) const {
    if (feature < ThinTriangle::kVertices) {
      const std::int32_t vertex = facet.vertices[feature];
      const bool belongs = facet.has_corner(feature) && belongs_to_vertex(mesh_, vertex, normal);
      return belongs ? std::optional(number_of_vertex(mesh_, vertex)) : std::nullopt;
    }
    const int k = feature - ThinTriangle::kVertices;
    const std::int32_t edge = facet.edges[k];
    const bool belongs = is_border(facet, k, side) && belongs_to_edge(mesh_, edge, normal);
    return belongs ? std::optional(number_of_edge(mesh_, edge)) : std::nullopt;
  }

  PlacedShape shape_;
  const Core& core_;
  const GrainOutline& outline_;
  Pose at_a_;  ///< the mesh's axes at the grain's centre
  const MeshSurface& b_;
  const PackedMesh& mesh_;
  const Pose& pose_b_;
  std::optional<ThinTriangle> triangle_;  ///< made for the first triangle that needs it
};

}  // namespace scree
