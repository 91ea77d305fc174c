#pragma once

/// What a ring's circle meets: distances of its points from another shape, as functions of the angle.
/// See ring_contact.hpp.

#include <algorithm>
#include <cmath>

#include "circle_minima.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shape.hpp"
#include "scree/geometry/shapes/capsule.hpp"
#include "scree/geometry/shapes/ring.hpp"
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

  Vec3 at(double angle) const { return centre + std::cos(angle) * x + std::sin(angle) * y; }
  Vec3 tangent(double angle) const { return std::cos(angle) * y - std::sin(angle) * x; }
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
  const double rho = std::hypot(p.x(), p.y());
  const Vec3 side = rho > 0.0 ? Vec3(p.x() / rho, p.y() / rho, 0.0) : Vec3(Vec3::UnitX());
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
    const SurfacePoint s = b_.nearest(circle_.at(angle));
    return {angle, s.distance, s.normal.dot(circle_.tangent(angle))};
  }
  CircleBounds bounds(double reach) const {
    return {circle_.radius, reach, 1e-14 * circle_.radius};
  }
  SurfacePoint surface(double angle) const { return b_.nearest(circle_.at(angle)); }

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
    const Vec3 p = circle_.at(angle);
    const Vec3 away = p - nearest_on_core(b_, p).point;
    return {angle, 0.5 * away.squaredNorm(), away.dot(circle_.tangent(angle))};
  }
  CircleBounds bounds(double reach) const {
    const double cut = std::max(reach + radius_around_core(b_), 0.0);
    return {circle_.radius * size_, 0.5 * cut * cut, 1e-15 * circle_.radius * size_};
  }
  /// Where the circle meets the core the way out is across both.
  SurfacePoint surface(double angle) const {
    const Vec3 p = circle_.at(angle);
    const NearestOnCore core = nearest_on_core(b_, p);
    const Vec3 away = p - core.point;
    const double distance = away.norm();
    const bool meet = distance <= 1e-14 * size_;
    const Vec3 normal = meet ? across(angle, core.along) : Vec3(away / distance);
    const double radius = radius_around_core(b_);
    return {core.point + radius * normal, normal, distance - radius};
  }

 private:
  /// Unit, across the circle at @p angle and @p along, on the side of the circle's centre seen from
  /// B's; where that has no direction, along the circle's axis.
  Vec3 across(double angle, const Vec3& along) const {
    constexpr double kParallel = 1e-9;
    const Vec3 tangent = circle_.tangent(angle) / circle_.radius;
    const Vec3 both = tangent.cross(along);
    if (both.norm() < kParallel) return circle_.x.cross(circle_.y).normalized();
    return std::copysign(1.0, both.dot(circle_.centre)) * both.normalized();
  }

  const B& b_;
  const PlacedCircle& circle_;
  double size_;  ///< of the pair, m
};

}  // namespace scree
