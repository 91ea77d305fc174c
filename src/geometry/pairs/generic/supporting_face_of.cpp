#include <cmath>

#include "convex_shape.hpp"
#include "geometry/pairs/convex/deepest.hpp"

namespace scree {
namespace {

/// The edge at the vertex @p at that lies best across @p direction, to within @p tolerance: its
/// other end; -1 for none.
std::int32_t end_across(const Core& core, std::int32_t at, const Vec3& direction,
                        double tolerance) {
  const Hull& hull = core.hull();
  std::int32_t best = -1;
  double least = tolerance;
  const auto look_at = [&](std::int32_t other) {
    const Vec3 along = core.vertex(other) - core.vertex(at);
    const double sine = std::abs(along.dot(direction)) / along.norm();
    if (sine > least) return;
    least = sine;
    best = other;
  };
  if (hull.faces.empty() && hull.vertices.size() == 2) {
    look_at(1 - at);
  } else if (!hull.faces.empty()) {
    for (const std::int32_t other : hull.neighbours_of(at)) look_at(other);
  }
  return best;
}

}  // namespace

SupportingFace supporting_face_of(const CoreShape& shape, const Vec3& direction, double tolerance) {
  const Core core(shape, Mat3::Identity(), Vec3::Zero());
  const Vec3 rounding = shape.radius * direction;
  SupportingFace found;
  const auto add = [&](std::int32_t vertex) {
    found.corners.push_back({core.vertex(vertex) + rounding, vertex});
  };
  const std::int32_t at = core.support(direction);
  const std::int32_t face = face_towards(core, direction, at);
  if (face >= 0 && core.normal(face).cross(direction).norm() <= tolerance) {
    for (const std::int32_t vertex : core.hull().loop(core.hull().faces[face])) add(vertex);
    return found;
  }
  add(at);
  const std::int32_t other = end_across(core, at, direction, tolerance);
  if (other >= 0) add(other);
  return found;
}

}  // namespace scree
