#include "core.hpp"

#include <algorithm>

#include "scree/geometry/shapes/sphere.hpp"

namespace scree {
namespace {

/// Up to so many vertices all are looked at; among more the search goes from neighbour to
/// neighbour.
constexpr std::size_t kFew = 24;

std::int32_t among_all(const Hull& hull, const Vec3& direction) {
  // without branches, which directions in no order would have guessed wrong
  std::int32_t best = 0;
  double most = direction.dot(hull.vertices[0]);
  const auto n = static_cast<std::int32_t>(hull.vertices.size());
  for (std::int32_t i = 1; i < n; ++i) {
    const double along = direction.dot(hull.vertices[i]);
    best = along > most ? i : best;
    most = std::max(most, along);
  }
  return best;
}

/// Uphill along the edges: on a convex body there is no lower summit to stop at.
std::int32_t uphill(const Hull& hull, const Vec3& direction, std::int32_t start) {
  std::int32_t best = start;
  double most = direction.dot(hull.vertices[start]);
  for (bool climbs = true; climbs;) {
    climbs = false;
    for (const std::int32_t next : hull.neighbours_of(best)) {
      const double along = direction.dot(hull.vertices[next]);
      if (along <= most) continue;
      most = along;
      best = next;
      climbs = true;
    }
  }
  return best;
}

/// The core of a ball: it has neither edge nor face.
Hull single_point() {
  Hull hull;
  hull.vertices = {Vec3::Zero()};
  hull.neighbours_begin = {0, 0};
  return hull;
}

/// The core of a capsule, along z: an edge and no face.
Hull unit_segment() {
  Hull hull;
  hull.vertices = {-Vec3::UnitZ(), Vec3::UnitZ()};
  hull.edges = {{0, 1, -1, -1}};
  hull.neighbours = {1, 0};
  hull.neighbours_begin = {0, 1, 2};
  hull.bounding_radius = 1.0;
  return hull;
}

}  // namespace

CoreShape core_of(const Sphere& sphere) {
  static const Hull hull = single_point();
  return {hull, Vec3::Ones(), sphere.radius};
}

CoreShape core_of(const Capsule& capsule) {
  static const Hull hull = unit_segment();
  return {hull, Vec3::Constant(0.5 * capsule.length), capsule.radius};
}

CoreShape core_of(const Box& box) {
  static const Hull hull = cuboid(Vec3::Ones());
  return {hull, box.half(), 0.0};
}

CoreShape core_of(const ScaledHull& polyhedron) {
  return {polyhedron.hull, Vec3::Constant(polyhedron.scale), 0.0};
}

std::int32_t farthest_vertex(const Hull& hull, const Vec3& direction, std::int32_t start) {
  if (hull.vertices.size() <= kFew) return among_all(hull, direction);
  return uphill(hull, direction, start);
}

std::int32_t Core::support(const Vec3& direction, std::int32_t start) const {
  return farthest_vertex(*hull_, seen_by_vertices(direction), start);
}

}  // namespace scree
