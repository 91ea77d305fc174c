#pragma once

/// Targets of a ring's circle: distances of its points from another shape, as functions of the
/// angle. See ring_contact.hpp.

#include <algorithm>
#include <cmath>

#include "circle_minima.hpp"
#include "geometry/shapes/round_section.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/capsule.hpp"
#include "scree/geometry/shapes/ring.hpp"
#include "scree/geometry/shapes/shape.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {

/// A ring's circle in B's frame.
struct PlacedCircle {
  Vec3 centre;
  Vec3 x, y;      ///< the ring's axes times its major radius, m
  double radius;  ///< m

  PlacedCircle(const Ring& ring, const Pose& pose, const Pose& pose_b)
      : centre(pose_b.to_body(pose.position)), radius(ring.major_radius) {
    const Quat turn = pose_b.orientation.conjugate() * pose.orientation;
    x = turn * Vec3(radius, 0.0, 0.0);
    y = turn * Vec3(0.0, radius, 0.0);
  }

  /// A point of it, and its derivative by the angle.
  struct Point {
    Vec3 position;
    Vec3 slope;
  };
  Point at(double angle) const {
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    return {centre + c * x + s * y, c * y - s * x};
  }
  /// How far from B's origin it may be, m.
  double reach() const { return centre.norm() + radius; }
};

/// The point of a core that is nearest to a given one.
struct NearestOnCore {
  Vec3 point;
  Vec3 along;  ///< unit, along the core; zero at an end of it
};

inline NearestOnCore nearest_on_core(const Sphere& /*ball*/, const Vec3& /*p*/) {
  return {Vec3::Zero(), Vec3::Zero()};
}
inline NearestOnCore nearest_on_core(const Capsule& capsule, const Vec3& p) {
  const double half = 0.5 * capsule.length;
  if (std::abs(p.z()) < half) return {Vec3(0.0, 0.0, p.z()), Vec3::UnitZ()};
  return {Vec3(0.0, 0.0, std::copysign(half, p.z())), Vec3::Zero()};
}
inline NearestOnCore nearest_on_core(const Ring& ring, const Vec3& p) {
  const Vec3 side = outward_from_axis(p);
  return {ring.major_radius * side, Vec3(-side.y(), side.x(), 0.0)};
}

inline double radius_around_core(const Sphere& ball) {
  return ball.radius;
}
inline double radius_around_core(const Capsule& capsule) {
  return capsule.radius;
}
inline double radius_around_core(const Ring& ring) {
  return ring.minor_radius;
}

template <class B>
concept RoundedCore = requires(const B& b, const Vec3& p) {
  nearest_on_core(b, p);
};

/// B as a ring's circle sees it: by its signed distance.
template <class B>
class RingTarget {
 public:
  RingTarget(const B& b, const PlacedCircle& circle) : b_(b), circle_(circle) {}

  CircleSample operator()(double angle) const {
    const PlacedCircle::Point p = circle_.at(angle);
    const SurfacePoint s = b_.nearest(p.position);
    return {angle, s.distance, s.normal.dot(p.slope)};
  }
  CircleBounds bounds(double reach) const {
    return {circle_.radius, reach, 1e-14 * circle_.radius};
  }
  /// B's point that is nearest to the circle's.
  SurfacePoint surface(double angle) const { return b_.nearest(circle_.at(angle).position); }
  /// B's point that is nearest to the circle's where the separation has a local minimum.
  SurfacePoint surface_at_minimum(double angle) const { return surface(angle); }

 private:
  const B& b_;
  const PlacedCircle& circle_;
};

/// B with a rounding radius around its core: by half the square of the distance from that.
template <RoundedCore B>
class RingTarget<B> {
 public:
  RingTarget(const B& b, const PlacedCircle& circle)
      : b_(b), circle_(circle), size_(circle.reach() + b.bounding_radius()) {}

  CircleSample operator()(double angle) const {
    const PlacedCircle::Point p = circle_.at(angle);
    const Vec3 away = p.position - nearest_on_core(b_, p.position).point;
    return {angle, 0.5 * away.squaredNorm(), away.dot(p.slope)};
  }
  CircleBounds bounds(double reach) const {
    const double cut = std::max(reach + radius_around_core(b_), 0.0);
    return {circle_.radius * farthest(b_), 0.5 * cut * cut, 1e-15 * circle_.radius * size_};
  }
  SurfacePoint surface(double angle) const {
    const Away away = away_at(angle);
    const bool meet = away.distance <= 1e-14 * size_;
    return surface_towards(meet ? way_out(away) : Vec3(away.vector / away.distance), away);
  }
  /// At a minimum the normal is across both the circle and the core, which tells it better than the
  /// difference of two points that nearly meet, as long as the two are not parallel.
  SurfacePoint surface_at_minimum(double angle) const {
    constexpr double kNear = 1e-3;
    const Away away = away_at(angle);
    const double sine = away.across.norm();
    if (away.distance >= kNear * sine * size_ || away.distance <= 1e-14 * size_) {
      return surface(angle);
    }
    const double side = std::copysign(1.0, away.across.dot(away.vector));
    return surface_towards(side / sine * away.across, away);
  }

 private:
  /// From the core to the circle at an angle.
  struct Away {
    Vec3 core;  ///< the core's point
    Vec3 vector;
    double distance;
    Vec3 across;  ///< to both; the sine of their angle long, zero at an end of the core
  };

  /// K / R of ring_contact.hpp.
  double farthest(const Ring& ring) const {
    return circle_.centre.head<2>().norm() + ring.major_radius;
  }
  template <class Convex>
  double farthest(const Convex& /*b*/) const {
    return circle_.reach();  // the core holds the origin
  }

  Away away_at(double angle) const {
    const PlacedCircle::Point p = circle_.at(angle);
    const NearestOnCore core = nearest_on_core(b_, p.position);
    const Vec3 vector = p.position - core.point;
    return {core.point, vector, vector.norm(), p.slope.cross(core.along) / circle_.radius};
  }

  SurfacePoint surface_towards(const Vec3& normal, const Away& away) const {
    const double radius = radius_around_core(b_);
    return {away.core + radius * normal, normal, away.distance - radius};
  }

  /// Where circle and core meet: across both, on the side of the circle's centre seen from B's;
  /// along the circle's axis where they are parallel.
  Vec3 way_out(const Away& away) const {
    constexpr double kParallel = 1e-9;
    if (away.across.norm() < kParallel) return circle_.x.cross(circle_.y).normalized();
    return std::copysign(1.0, away.across.dot(circle_.centre)) * away.across.normalized();
  }

  const B& b_;
  const PlacedCircle& circle_;
  double size_;  ///< of the pair, m
};

}  // namespace scree
