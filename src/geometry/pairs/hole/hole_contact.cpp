#include "hole_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "geometry/pairs/convex/convex_contact.hpp"
#include "geometry/pairs/ring/ring_contact.hpp"
#include "geometry/shapes/round_section.hpp"
#include "hole_section.hpp"
#include "hole_surfaces.hpp"

namespace scree {
namespace {

/// At most as many points as a manifold holds: the deepest, then always the one farthest from
/// those, by places and, times
/// @p size (m), by normals; the nearer a point is to @p margin (m) the less it counts.
std::vector<ContactPoint> spread(const std::vector<ContactPoint>& points, double size,
                                 double margin) {
  if (points.size() <= Manifold::kCapacity) return points;
  std::vector<ContactPoint> kept = {points.front()};
  const auto worth = [&](const ContactPoint& p) {
    double least = std::numeric_limits<double>::infinity();
    for (const ContactPoint& k : kept) {
      least = std::min(least, (k.point_a - p.point_a).norm() + size * (k.normal - p.normal).norm());
    }
    return least * (margin - p.gap);
  };
  while (kept.size() < Manifold::kCapacity) {
    const ContactPoint& next =
        *std::max_element(points.begin(), points.end(),
                          [&](const auto& p, const auto& q) { return worth(p) < worth(q); });
    if (!(worth(next) > 0.0)) break;
    kept.push_back(next);
  }
  return kept;
}

/// Where @p f, which falls and then rises between @p low and @p high, is least, to a thousandth of
/// their distance.
template <class F>
double least_between(const F& f, double low, double high) {
  constexpr int kThirds = 17;  // (2/3)^17 = 0.001
  for (int k = 0; k < kThirds; ++k) {
    const double third = (high - low) / 3.0;
    if (f(low + third) < f(high - third)) {
      high -= third;
    } else {
      low += third;
    }
  }
  return 0.5 * (low + high);
}

template <class A>
class HoleContact {
 public:
  HoleContact(const A& a, const Pose& pose_a, const RoundHole& hole, const Pose& pose_b)
      : a_(a),
        pose_{pose_b.to_body(pose_a.position), pose_b.orientation.conjugate() * pose_a.orientation},
        hole_(hole),
        pose_b_(pose_b) {}

  Manifold run(double margin) {
    collect(margin);
    // what is deepest may be farther: as near as what is known, or as the centre
    if (const double least = least_gap(); !(least <= margin)) {
      collect(std::min(least, std::max(nearest_on_hole(hole_, pose_.position).distance, 0.0)));
    }
    if (points_.empty() || overlaps_unseen()) add(way_out());
    drop_beyond(margin, points_);
    points_ = spread(points_, a_.bounding_radius(), margin);
    const bool solved = converged_ && std::isfinite(points_.front().gap);
    return manifold_of(points_,
                       solved ? SeparationStatus::solved : SeparationStatus::not_converged);
  }

 private:
  double least_gap() const {
    double least = std::numeric_limits<double>::infinity();
    for (const ContactPoint& p : points_) least = std::min(least, p.gap);
    return least;
  }

  /// Whether the two overlap where no point stands; with others that do, deeper than a body's
  /// corner at a rim may seem to.
  bool overlaps_unseen() const {
    constexpr double kClearly = 0.1;
    const double least = least_gap();
    return inside_ &&
           (least > 0.0 || inside_->gap < 2.0 * least - kClearly * a_.inscribed_radius());
  }

  /// All points up to @p cut, and some that are farther.
  void collect(double cut) {
    points_.clear();
    inside_.reset();
    through_tip_ = false;
    note(pose_.position);
    const auto offer = [this](const Candidate& c, bool stands) {
      if (stands) return add(c);
      note(c.point);
    };
    if constexpr (MetAlongNormals<A>) {
      converged_ = meet_along_normals(a_, pose_, hole_, cut, offer);
    } else {
      meet_vertices(a_, pose_, hole_, offer);
    }
    if (hole_.endless()) return;
    note_piercing();
    add_rim(HolePart::low_rim, hole_.low_radius, hole_.low, cut);
    add_rim(HolePart::high_rim, hole_.high_radius, hole_.high, cut);
  }

  void add(const Candidate& c) {
    points_.push_back({c.gap, pose_b_.orientation * c.normal, pose_b_.to_world(c.point),
                       pose_b_.to_world(c.point - c.gap * c.normal), feature_of(c)});
  }

  void add_rim(HolePart part, double radius, double height, double cut) {
    if (radius <= 0.0) return;  // a tip has none
    const Vec3& centre = pose_.position;
    const double from_rim = std::hypot(centre.head<2>().norm() - radius, centre.z() - height);
    if (from_rim - a_.bounding_radius() > cut) return;
    const Ring rim{radius, 0.0};
    const Pose rim_pose{Vec3(0.0, 0.0, height), Quat::Identity()};
    const Manifold found = ring_contact(rim, rim_pose, a_, pose_, cut);
    converged_ = converged_ && found.status == SeparationStatus::solved;
    for (const ContactPoint& of_ring : found) {
      const ContactPoint p = past_edge(of_ring);
      const auto on_rim = static_cast<std::int32_t>(swapped_feature(of_ring.feature) - 1);
      const Candidate c{p.point_b, -p.normal, p.gap, part, 0, on_rim};
      if (leaves_rim(part, p.point_a, c.normal)) {
        if (!is_known(c)) add(c);
      } else {
        note(c.point);
        if (c.gap <= touch()) keep_inside(past_corner(c, p.point_a));
      }
    }
  }

  /// Gaps up to this are none: of what touches to rounding nearest points tell no normal.
  double touch() const { return 1e-12 * a_.bounding_radius(); }

  /// Where the rim is inside a polytope, the way out may be past an edge: of the rim's tangent.
  ContactPoint past_edge(const ContactPoint& p) const {
    if constexpr (Polytope<A>) {
      if (p.gap > touch()) return p;
      const Vec3 along = Vec3::UnitZ().cross(outward_from_axis(p.point_a));
      const Pose tangent{p.point_a, rotation_between(Vec3::UnitZ(), along)};
      const Capsule line{0.0, a_.bounding_radius()};
      const Manifold m = convex_contact({core_of(line), tangent}, {core_of(a_), pose_}, 0.0);
      if (m.status != SeparationStatus::solved) return p;
      const ContactPoint& out = m.deepest();
      return {out.gap, out.normal, p.point_a, p.point_a - out.gap * out.normal, p.feature};
    } else {
      return p;
    }
  }

  /// A body's corner that is past the rim, seen from the rim's point: along the wall's or the
  /// face's normal, where that is hardly deeper than along the normal of @p c, which leads into the
  /// solid.
  Candidate past_corner(const Candidate& c, const Vec3& on_rim) const {
    const Eigen::Vector2d wall = WallLine(hole_).normal;
    const Vec3 face = (c.part == HolePart::high_rim ? 1.0 : -1.0) * Vec3::UnitZ();
    Candidate best = c;
    double least = 2.0 * c.gap - touch();
    for (const Vec3& normal :
         {Vec3(wall.x() * outward_from_axis(on_rim) + wall.y() * Vec3::UnitZ()), face}) {
      const Vec3 p = farthest(-normal);
      const double gap = normal.dot(p - on_rim);
      if (gap < least) continue;
      least = gap;
      best = {p, normal, gap, c.part, 0, c.of_part};
    }
    return best;
  }

  /// Whether @p normal at the rim's @p point is between those of the wall and of the face that meet
  /// there.
  bool leaves_rim(HolePart part, const Vec3& point, const Vec3& normal) const {
    constexpr double kRounding = 1e-7;  // doubles are told by is_known()
    const Eigen::Vector2d n(normal.dot(outward_from_axis(point)), normal.z());
    const double beyond = n.dot(WallLine(hole_).direction);
    return n.x() <= kRounding && (part == HolePart::high_rim ? beyond : -beyond) >= -kRounding;
  }

  /// Whether the body's point is that of a wall or a face already, and as deep there.
  bool is_known(const Candidate& c) const {
    const double near = 1e-6 * a_.bounding_radius();
    const Vec3 p = pose_b_.to_world(c.point);
    return std::any_of(points_.begin(), points_.end(), [&](const ContactPoint& known) {
      return known.gap <= c.gap + touch() && (known.point_a - p).norm() <= near;
    });
  }

  /// Keeps a point of the body, or within it, where it is inside the solid.
  void note(const Vec3& p) {
    const HolePoint out = nearest_on_hole(hole_, p);
    if (out.distance <= touch()) keep_inside({p, out.normal, out.distance, out.part, 0, kWayOut});
  }

  void keep_inside(const Candidate& c) {
    if (!inside_ || c.gap < inside_->gap) inside_ = c;
  }

  /// Where the body's section in the plane of a face holds no point of the rim it is in the solid
  /// or in the hole: so is where the line from its lowest to its highest point goes through. Points
  /// of this line between the faces.
  void note_piercing() {
    constexpr int kParts = 8;
    const Vec3 low = farthest(-Vec3::UnitZ());
    const Vec3 up = farthest(Vec3::UnitZ()) - low;
    const double first = std::max(hole_.low, low.z());
    const double last = std::min(hole_.high, low.z() + up.z());
    if (first >= last) return;
    const auto crosses = [&](double z) {
      return low.z() < z - touch() && low.z() + up.z() > z + touch();
    };
    through_tip_ = (is_closed(hole_, HolePart::bottom) && crosses(hole_.low)) ||
                   (is_closed(hole_, HolePart::top) && crosses(hole_.high));
    const auto at = [&](double z) -> Vec3 { return low + (z - low.z()) / up.z() * up; };
    const auto depth = [&](double z) { return nearest_on_hole(hole_, at(z)).distance; };
    const double part = (last - first) / kParts;
    double deepest = first;
    for (int k = 1; k <= kParts; ++k) {
      const double z = first + k * part;
      if (depth(z) < depth(deepest)) deepest = z;
    }
    // at a sharp rim the solid is thinner than a part, whose end is then all that is in it
    if (depth(deepest) <= touch()) {
      deepest =
          least_between(depth, std::max(first, deepest - part), std::min(last, deepest + part));
    }
    note(at(deepest));
  }

  /// The body's point farthest along a direction.
  Vec3 farthest(const Vec3& direction) const {
    return pose_.to_world(a_.support(pose_.orientation.conjugate() * direction));
  }

  /// Of a body for which no point stands: from the plane through the point by which its centre
  /// leaves the solid, or where else the two are known to overlap, if it is not by the tip of a
  /// closed cone.
  Candidate way_out() const {
    const HolePoint out = nearest_on_hole(hole_, pose_.position);
    if (out.distance > 0.0 && inside_ && !through_tip_) return *inside_;
    const Vec3 p = farthest(-out.normal);
    return {p, out.normal, out.normal.dot(p - out.point), out.part, 0, kWayOut};
  }

  const A& a_;
  Pose pose_;  ///< the body's in the hole's frame
  const RoundHole& hole_;
  const Pose& pose_b_;
  std::vector<ContactPoint> points_;
  std::optional<Candidate> inside_;  ///< where the two are known to overlap, and the way out there
  bool through_tip_ = false;         ///< of a closed cone
  bool converged_ = true;
};

}  // namespace

template <class A>
Manifold hole_contact(const A& a, const Pose& pose_a, const RoundHole& hole, const Pose& pose_b,
                      double margin) {
  return HoleContact<A>(a, pose_a, hole, pose_b).run(margin);
}

template Manifold hole_contact(const Capsule&, const Pose&, const RoundHole&, const Pose&, double);
template Manifold hole_contact(const Box&, const Pose&, const RoundHole&, const Pose&, double);
template Manifold hole_contact(const ScaledHull&, const Pose&, const RoundHole&, const Pose&,
                               double);
template Manifold hole_contact(const Ellipsoid&, const Pose&, const RoundHole&, const Pose&,
                               double);
template Manifold hole_contact(const ConvexShape&, const Pose&, const RoundHole&, const Pose&,
                               double);

}  // namespace scree
