#include "ring_contact.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "circle_minima.hpp"
#include "deepest.hpp"
#include "ring_target.hpp"
#include "scree/geometry/shape_list.hpp"

namespace scree {
namespace {

/// The minimum for a ball is at the angle of its centre, unless that is on the ring's axis.
CircleMinima minima_of(const RingTarget<Sphere>& target, const PlacedCircle& circle,
                       const CircleBounds& bounds) {
  CircleMinima minima;
  const double x = -circle.centre.dot(circle.x);
  const double y = -circle.centre.dot(circle.y);
  if (std::hypot(x, y) > bounds.flat) minima.add(target(std::atan2(y, x)));
  return minima;
}

/// The minimum for a plane is where the circle is lowest, unless it is level.
CircleMinima minima_of(const RingTarget<Plane>& target, const PlacedCircle& circle,
                       const CircleBounds& bounds) {
  CircleMinima minima;
  if (std::hypot(circle.x.z(), circle.y.z()) > bounds.flat) {
    minima.add(target(std::atan2(-circle.y.z(), -circle.x.z())));
  }
  return minima;
}

template <class Target>
CircleMinima minima_of(const Target& target, const PlacedCircle& /*circle*/,
                       const CircleBounds& bounds) {
  return minima_on_circle(target, bounds);
}

/// The contact points of a ring with what RingTarget tells of B.
template <class B>
class RingContact {
 public:
  RingContact(const Ring& ring, const Pose& pose, const B& b, const Pose& pose_b, double margin)
      : circle_(ring, pose, pose_b),
        target_(b, circle_),
        pose_b_(pose_b),
        radius_(ring.minor_radius),
        margin_(margin) {}

  Manifold run() {
    CircleMinima minima = minima_of(target_, circle_, target_.bounds(margin_ + radius_));
    std::sort(minima.begin(), minima.end(), CircleMinima::is_lower);
    for (const CircleSample* m = minima.begin(); m != minima.end(); ++m) {
      if (!is_repeated(minima.begin(), m)) add_minimum(m->angle);
    }
    for (std::int32_t quarter = 0; quarter < 4; ++quarter) add_quarter(quarter);
    std::sort(manifold_.begin(), manifold_.end(), [](const auto& p, const auto& q) {
      return p.gap < q.gap || (p.gap == q.gap && p.feature < q.feature);
    });
    keep_within_margin();
    const bool finite = std::isfinite(manifold_.deepest().gap);
    if (!minima.converged || !finite) manifold_.status = SeparationStatus::not_converged;
    return manifold_;
  }

 private:
  /// Minima this near each other are the two ends of a short level stretch.
  static bool is_repeated(const CircleSample* begin, const CircleSample* m) {
    return std::any_of(begin, m, [m](const CircleSample& known) {
      return std::abs(std::remainder(known.angle - m->angle, 2.0 * std::numbers::pi)) < 1e-4;
    });
  }

  void add_minimum(double angle) {
    const auto nearest = std::lround(2.0 * angle / std::numbers::pi);
    const auto quarter = static_cast<std::int32_t>((nearest % 4 + 4) % 4);
    std::int32_t& known = minima_in_[static_cast<std::size_t>(quarter)];
    add(target_.surface_at_minimum(angle), quarter + 4 * known);
    ++known;
  }

  void add_quarter(std::int32_t quarter) {
    if (minima_in_[static_cast<std::size_t>(quarter)] > 0) return;
    add(target_.surface(0.5 * std::numbers::pi * quarter), quarter);
  }

  void add(const SurfacePoint& of_b, std::int32_t feature) {
    const Vec3 normal = pose_b_.orientation * of_b.normal;
    const Vec3 point_b = pose_b_.to_world(of_b.point);
    const double gap = of_b.distance - radius_;
    manifold_.push_back({gap, normal, point_b + gap * normal, point_b, pair_feature(feature, 0)});
  }

  void keep_within_margin() {
    std::size_t size = 1;
    while (size < manifold_.size() && manifold_[size].gap <= margin_) ++size;
    manifold_.truncate(size);
  }

  PlacedCircle circle_;
  RingTarget<B> target_;
  const Pose& pose_b_;
  double radius_;
  double margin_;
  Manifold manifold_;
  std::array<std::int32_t, 4> minima_in_{};  ///< each quarter
};

}  // namespace

template <class B>
Manifold ring_contact(const Ring& ring, const Pose& pose, const B& b, const Pose& pose_b,
                      double margin) {
  return RingContact<B>(ring, pose, b, pose_b, margin).run();
}

template Manifold ring_contact(const Ring&, const Pose&, const Sphere&, const Pose&, double);
template Manifold ring_contact(const Ring&, const Pose&, const Capsule&, const Pose&, double);
template Manifold ring_contact(const Ring&, const Pose&, const Ring&, const Pose&, double);
template Manifold ring_contact(const Ring&, const Pose&, const Ellipsoid&, const Pose&, double);
template Manifold ring_contact(const Ring&, const Pose&, const Box&, const Pose&, double);
template Manifold ring_contact(const Ring&, const Pose&, const ScaledHull&, const Pose&, double);
template Manifold ring_contact(const Ring&, const Pose&, const Plane&, const Pose&, double);
template Manifold ring_contact(const Ring&, const Pose&, const HollowCylinder&, const Pose&,
                               double);
template Manifold ring_contact(const Ring&, const Pose&, const HollowCone&, const Pose&, double);
template Manifold ring_contact(const Ring&, const Pose&, const Orifice&, const Pose&, double);

}  // namespace scree
