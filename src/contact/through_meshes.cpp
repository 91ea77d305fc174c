#include <algorithm>
#include <optional>

#include "scree/contact/passing.hpp"
#include "scree/contact/reach.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/clump.hpp"
#include "scree/geometry/shapes/mesh.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

/// The way of a grain's centre in the frame of a mesh, which moves, too.
struct Way {
  Vec3 from;
  Vec3 to;
};

/// Before the way leaves a solid by a triangle, which is seen from behind, it entered by another.
bool leads_through(const MeshSurface& surface, const Way& way) {
  constexpr double kBefore = 1.0 - 1e-9;
  double end = 1.0;
  while (end > 0.0) {
    const Vec3 to = way.from + end * (way.to - way.from);
    const std::optional<std::int32_t> met = surface.surface.tree.met_by(way.from, to);
    if (!met) return false;
    if (surface.is_sheet || surface.side_of(*met, way.from) != 0) return true;
    const Facet& facet = surface.mesh().facets[*met];
    const double share =
        facet.normal.dot(facet.corners[0] - way.from) / facet.normal.dot(way.to - way.from);
    end = std::min(kBefore * end, kBefore * share);
  }
  return false;
}

/// Calls @p visit(point, body frame) for the centre of each part of a clump, that of another body.
template <class Visit>
void for_each_centre(const Shape& shape, const ShapeLibrary& library, const Visit& visit) {
  const auto* clump = shape.get_if<Clump>();
  if (clump == nullptr) return visit(Vec3(Vec3::Zero()));
  const ScaledClump body = library.geometry_of(*clump);
  for (std::size_t i = 0; i < body.size(); ++i) visit(body.pose_of(i, Pose{}).position);
}

}  // namespace

Travel through_meshes(const Store& store, std::span<const Pair> pairs, const Ends& ends) {
  for (const auto& [a, b] : pairs) {
    const auto* mesh = store.shape[b].get_if<Mesh>();
    if (mesh == nullptr) continue;
    const MeshSurface surface = store.shapes->geometry_of(*mesh);
    const Pose before = pose_of(store, b);
    const Pose& after = ends.poses[b];
    bool passes = false;
    for_each_centre(store.shape[a], *store.shapes, [&](const Vec3& centre) {
      const Vec3 from = pose_of(store, a).to_world(centre);
      const Vec3 to = ends.poses[a].to_world(centre);
      const auto try_image = [&](const Vec3& shift) {
        passes = passes ||
                 leads_through(surface, {before.to_body(from - shift), after.to_body(to - shift)});
      };
      if (!ends.cell.repeats()) return try_image(Vec3::Zero());
      const Box3 tool = box_of(store.shape[b], before, *store.shapes);
      const Vec3 far = (to - from).cwiseAbs() + (after.position - before.position).cwiseAbs();
      ends.cell.for_each_image(tool, {from - far, from + far},
                               [&](const Vec3i& image) { try_image(ends.cell.shift(image)); });
    });
    if (!passes) continue;
    return {kTooFar, ends.velocities[a].head<3>().norm(), store.id[a], store.position[a]};
  }
  return {};
}

}  // namespace scree
