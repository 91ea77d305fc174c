#include "facing_direction.hpp"

#include <algorithm>

#include "tangent_newton.hpp"

namespace scree {
namespace {

/// Sine of the angle to a flat within which what looks at it is farthest.
constexpr double kOnFlat = 1e-7;

/// Across the corners, in their order around the flat; none where they have no area.
std::optional<FacingDirection> across_flat(const SupportingFace& face, double side) {
  if (face.corners.size() < 3) return std::nullopt;
  const Vec3& start = face.corners[0].point;
  Vec3 area = Vec3::Zero();
  for (std::size_t k = 1; k + 1 < face.corners.size(); ++k) {
    area += (face.corners[k].point - start).cross(face.corners[k + 1].point - start);
  }
  if (!(area.norm() > 0.0)) return std::nullopt;
  return FacingDirection{side * area.normalized(), false, kOnFlat};
}

std::optional<FacingDirection> of_minimum(const std::optional<Vec3>& m, double near) {
  if (!m) return std::nullopt;
  return FacingDirection{*m, true, near};
}

bool are_same(const SupportingFace& one, const SupportingFace& other) {
  return std::ranges::equal(one.corners, other.corners, {}, &SupportingFace::Corner::number,
                            &SupportingFace::Corner::number);
}

}  // namespace

bool are_same_parts(const Facing& one, const Facing& other) {
  return are_same(one.a, other.a) && are_same(one.b, other.b);
}

std::optional<FacingDirection> facing_direction(const Difference& d, const Vec3& m,
                                                const Facing& facing, double near,
                                                double tolerance) {
  const auto of_a = across_flat(facing.a, 1.0);
  const auto of_b = across_flat(facing.b, -1.0);
  if (of_a && of_b) return d.look(of_a->m).value <= d.look(of_b->m).value ? of_a : of_b;
  if (of_a || of_b) return of_a ? of_a : of_b;
  const std::size_t n = facing.a.corners.size() + facing.b.corners.size();
  if (n == 2) return of_minimum(minimum_of_points(d, m, tolerance), 0.0);
  const auto across = n == 4 ? across_lines(d, m, near) : std::nullopt;
  if (across) return FacingDirection{*across, false, near};
  return of_minimum(minimum_on_line(d, m, near, tolerance), near);
}

}  // namespace scree
