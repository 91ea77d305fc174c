#include "hole_section.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/shapes/round_section.hpp"

namespace scree {
namespace {

using Vec2 = Eigen::Vector2d;

/// The point of wall and faces nearest to a point within. @pre q is inside, or on the surface to
/// rounding.
SectionPoint leave_section(const RoundHole& hole, const WallLine& wall, const Vec2& q) {
  const double to_wall = (q - wall.start).dot(wall.normal);  // negative inside
  const double to_top = q.y() - hole.high;
  const double to_bottom = hole.low - q.y();
  if (to_wall >= std::max(to_top, to_bottom)) {
    return {q - to_wall * wall.normal, wall.normal, to_wall, HolePart::wall};
  }
  if (to_top >= to_bottom) return {{q.x(), hole.high}, {0.0, 1.0}, to_top, HolePart::top};
  return {{q.x(), hole.low}, {0.0, -1.0}, to_bottom, HolePart::bottom};
}

HolePart part_at(const WallLine& wall, double along) {
  if (along <= 0.0) return HolePart::low_rim;
  return along >= wall.length ? HolePart::high_rim : HolePart::wall;
}

/// @p v of the half plane at @p side of the axis.
Vec3 in_space(const Vec2& v, const Vec3& side) {
  return v.x() * side + v.y() * Vec3::UnitZ();
}

/// The point that bounds a ball about @p p on the given side of the hole: see RoundHole::around.
HolePoint on_side(const RoundHole& hole, const Vec3& p, const Vec3& side) {
  const SectionPoint s = nearest_in_section(hole, {p.dot(side), p.z()});
  const Vec3 point = in_space(s.point, side);
  const Vec3 away = p - point;
  const double distance = away.norm();
  if (is_rim(s.part) && distance > 0.0) return {{point, away / distance, distance}, s.part};
  const Vec3 normal = in_space(s.normal, side);
  return {{p - s.distance * normal, normal, s.distance}, s.part};
}

/// @p v a third of a turn about the axis further, that often.
Vec3 turned_by_thirds(const Vec3& v, std::int32_t thirds) {
  return Eigen::AngleAxisd(thirds * 2.0 * std::numbers::pi / 3.0, Vec3::UnitZ()) * v;
}

}  // namespace

WallLine::WallLine(const RoundHole& hole)
    : start(hole.low_radius, hole.endless() ? 0.0 : hole.low),
      direction(0.0, 1.0),
      normal(-1.0, 0.0),
      length(std::numeric_limits<double>::infinity()) {
  if (hole.endless()) return;
  const Vec2 whole = Vec2(hole.high_radius, hole.high) - start;
  length = whole.norm();
  direction = whole / length;
  normal = {-direction.y(), direction.x()};
}

SectionPoint nearest_in_section(const RoundHole& hole, const Vec2& q) {
  const WallLine wall(hole);
  if (hole.endless()) {
    return {{hole.low_radius, q.y()}, wall.normal, hole.low_radius - q.x(), HolePart::wall};
  }
  const double along = (q - wall.start).dot(wall.direction);
  const double off = (q - wall.start).dot(wall.normal);
  if (q.y() > hole.high && q.x() >= hole.high_radius) return leave_section(hole, wall, q);
  if (q.y() < hole.low && q.x() >= hole.low_radius) return leave_section(hole, wall, q);
  if (off <= 0.0 && q.y() >= hole.low && q.y() <= hole.high) return leave_section(hole, wall, q);
  const Vec2 point = wall.start + std::clamp(along, 0.0, wall.length) * wall.direction;
  const Vec2 away = q - point;
  const double distance = away.norm();
  // So close to the surface that `away` has no direction.
  if (distance <= 1e-14 * (point.norm() + wall.length)) return leave_section(hole, wall, q);
  return {point, away / distance, distance, part_at(wall, along)};
}

HolePoint nearest_on_hole(const RoundHole& hole, const Vec3& p) {
  const Vec3 side = outward_from_axis(p);
  const SectionPoint s = nearest_in_section(hole, {p.dot(side), p.z()});
  return {{in_space(s.point, side), in_space(s.normal, side), s.distance}, s.part};
}

std::array<HolePoint, 2> further_on_hole(const RoundHole& hole, const Vec3& p) {
  const Vec3 side = outward_from_axis(p);
  return {on_side(hole, p, turned_by_thirds(side, 1)), on_side(hole, p, turned_by_thirds(side, 2))};
}

HolePoint wall_plane(const RoundHole& hole, const Vec3& p, std::int32_t side) {
  const WallLine wall(hole);
  const Vec3 out = turned_by_thirds(outward_from_axis(p), side);
  const Vec3 normal = in_space(wall.normal, out);
  const double distance = normal.dot(p) - wall.normal.dot(wall.start);
  return {{p - distance * normal, normal, distance}, HolePart::wall};
}

}  // namespace scree
