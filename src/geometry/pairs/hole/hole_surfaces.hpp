#pragma once

/// The parts of a hole's wall and faces that bodies may touch, in the hole's frame: see
/// hole_contact.hpp.

#include <cmath>
#include <cstdint>

#include "geometry/pairs/convex/core.hpp"
#include "geometry/pairs/convex/deepest.hpp"
#include "geometry/pairs/generic/convex_shape.hpp"
#include "geometry/pairs/ring/circle_points.hpp"
#include "hole_section.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"

namespace scree {

/// Where a body may touch a hole, in the hole's frame.
struct Candidate {
  Vec3 point;  ///< of the body's surface
  Vec3 normal;
  double gap;
  HolePart part;
  std::int32_t of_body;  ///< the body's vertex; 0 where that is not what meets
  std::int32_t of_part;  ///< which of the part's points
};

/// The number of a way out, in the place of a part's point: more than any part has.
inline constexpr std::int32_t kWayOut = 100;

inline std::int64_t feature_of(const Candidate& c) {
  return pair_feature(c.of_body, static_cast<std::int32_t>(c.part) + 5 * c.of_part);
}

/// Bodies that are met by their points farthest along directions, not by vertices.
template <class A>
concept MetAlongNormals = std::is_same_v<A, Ellipsoid> || std::is_same_v<A, ConvexShape>;

/// The gap of a body from the planes that touch the wall, as a function of their angle. Hole's
/// frame.
template <MetAlongNormals A>
class BodyAndWall {
 public:
  BodyAndWall(const A& a, const Pose& pose, const RoundHole& hole)
      : a_(a), pose_(pose), wall_(hole) {}

  /// From the axis to the plane.
  static Vec3 side(double angle) { return {std::cos(angle), std::sin(angle), 0.0}; }
  /// Into the hole.
  Vec3 normal(double angle) const {
    return wall_.normal.x() * side(angle) + wall_.normal.y() * Vec3::UnitZ();
  }
  /// The body's point that is nearest to the plane, or deepest below it.
  Vec3 deepest(const Vec3& normal) const {
    return pose_.to_world(a_.support(pose_.orientation.conjugate() * -normal));
  }
  CircleSample operator()(double angle) const {
    const Vec3 n = normal(angle);
    const Vec3 p = deepest(n);
    return {angle, gap_of(p, n), Vec3::UnitZ().cross(n).dot(p)};
  }
  /// How far a point is from the plane whose normal is @p normal, m.
  double gap_of(const Vec3& p, const Vec3& normal) const {
    return normal.dot(p) - wall_.normal.dot(wall_.start);
  }
  CircleBounds bounds(double cut) const {
    const double reach = pose_.position.head<2>().norm() + a_.bounding_radius();
    return {std::abs(wall_.normal.x()) * reach, cut, 1e-14 * (reach + wall_.start.x())};
  }

 private:
  const A& a_;
  const Pose& pose_;
  WallLine wall_;
};

/// Whether the part is the tip of a closed cone or the face that it is in: nothing leaves there
/// that does not come from the face's side.
inline bool is_closed(const RoundHole& hole, HolePart part) {
  const bool is_low = part == HolePart::bottom || part == HolePart::low_rim;
  const bool is_high = part == HolePart::top || part == HolePart::high_rim;
  return (is_low && hole.low_radius == 0.0) || (is_high && hole.high_radius == 0.0);
}

/// The vertices of a body's core, each with the ball about it, against wall and faces. Calls
/// offer(Candidate, whether the hole's nearest point is on that part).
template <class A, class Offer>
void meet_vertices(const A& a, const Pose& pose, const RoundHole& hole, const Offer& offer) {
  const CoreShape core = core_of(a);
  const HolePart nearest_to_body = nearest_on_hole(hole, pose.position).part;
  for (std::size_t i = 0; i < core.hull.vertices.size(); ++i) {
    const Vec3 p = pose.to_world(core.scale.cwiseProduct(core.hull.vertices[i]));
    const auto offer_side = [&](const HolePoint& s, std::int32_t side) {
      offer({p - core.radius * s.normal, s.normal, s.distance - core.radius, s.part,
             vertex_feature(static_cast<std::int32_t>(i)), side},
            true);
    };
    const HolePoint nearest = nearest_on_hole(hole, p);
    const bool through_tip = nearest.part != nearest_to_body && is_closed(hole, nearest.part);
    if (through_tip) {
      for (std::int32_t side = 0; side < 3; ++side) offer_side(wall_plane(hole, p, side), side);
    } else if (!is_rim(nearest.part)) {
      offer_side(nearest, 0);
    }
    if (nearest.part != HolePart::wall) continue;
    std::int32_t side = 0;
    for (const HolePoint& further : further_on_hole(hole, p)) {
      ++side;
      if (further.part == HolePart::wall) offer_side(further, side);
      if (is_rim(further.part) && is_closed(hole, further.part)) {
        offer_side(wall_plane(hole, p, side), side);
      }
    }
  }
}

/// Calls visit(point, number) of the places, in the hole's frame, where a body meets a plane with
/// the unit @p normal: its point farthest towards that, of the number 0, and the corners of a flat
/// or a segment that looks along it to a hundredth.
template <MetAlongNormals A, class Visit>
void for_each_towards(const A& a, const Pose& pose, const Vec3& normal, const Visit& visit) {
  constexpr double kFacing = 0.01;
  const Vec3 direction = pose.orientation.conjugate() * -normal;
  if constexpr (std::is_same_v<A, ConvexShape>) {
    const SupportingFace face = a.supporting_face(direction, kFacing);
    const Vec3 farthest = a.support(direction);
    bool has_farthest = false;
    for (const SupportingFace::Corner& corner : face.corners) {
      if (face.corners.size() == 1) break;
      visit(pose.to_world(corner.point), 1 + corner.number);
      const double short_of = direction.dot(farthest - corner.point);
      has_farthest = has_farthest || short_of <= 1e-10 * a.bounding_radius();
    }
    if (!has_farthest) visit(pose.to_world(farthest), 0);
  } else {
    visit(pose.to_world(a.support(direction)), 0);
  }
}

/// A body's points farthest towards a face.
template <MetAlongNormals A, class Offer>
void meet_face(const A& a, const Pose& pose, const RoundHole& hole, HolePart face,
               const Offer& offer) {
  const double side = face == HolePart::top ? 1.0 : -1.0;
  const Vec3 normal = side * Vec3::UnitZ();
  const double height = face == HolePart::top ? hole.high : hole.low;
  for_each_towards(a, pose, normal, [&](const Vec3& p, std::int32_t number) {
    offer({p, normal, side * (p.z() - height), face, number, 0},
          nearest_on_hole(hole, p).part == face);
  });
}

/// A body against wall and faces. Whether the search along the wall has converged.
template <MetAlongNormals A, class Offer>
bool meet_along_normals(const A& a, const Pose& pose, const RoundHole& hole, double cut,
                        const Offer& offer) {
  if (!hole.endless()) {
    meet_face(a, pose, hole, HolePart::top, offer);
    meet_face(a, pose, hole, HolePart::bottom, offer);
  }
  const HolePart nearest_to_body = nearest_on_hole(hole, pose.position).part;
  const auto is_on_wall = [&](const Eigen::Vector2d& q) {
    const HolePart part = nearest_in_section(hole, q).part;
    return part == HolePart::wall || (part != nearest_to_body && is_closed(hole, part));
  };
  const BodyAndWall<A> wall(a, pose, hole);
  const CircleMinima minima = minima_on_circle(wall, wall.bounds(cut));
  for (const CirclePoint& at : points_on_circle(minima)) {
    const Vec3 normal = wall.normal(at.angle);
    for_each_towards(a, pose, normal, [&](const Vec3& p, std::int32_t number) {
      const Eigen::Vector2d q(wall.side(at.angle).dot(p), p.z());
      offer({p, normal, wall.gap_of(p, normal), HolePart::wall, number, at.feature},
            q.x() > 0.0 && is_on_wall(q));
    });
  }
  return minima.converged;
}

}  // namespace scree
