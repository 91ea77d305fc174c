#include "ring_contact.hpp"

#include <algorithm>
#include <cmath>

#include "circle_minima.hpp"
#include "circle_points.hpp"
#include "geometry/pairs/convex/deepest.hpp"
#include "geometry/pairs/generic/convex_shape.hpp"
#include "ring_target.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"
#include "scree/geometry/shapes/mesh.hpp"

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
    const CircleMinima minima = minima_of(target_, circle_, target_.bounds(margin_ + radius_));
    for (const CirclePoint& p : points_on_circle(minima)) {
      add(p.at_minimum ? target_.surface_at_minimum(p.angle) : target_.surface(p.angle), p.feature);
    }
    std::sort(manifold_.begin(), manifold_.end(), [](const auto& p, const auto& q) {
      return p.gap < q.gap || (p.gap == q.gap && p.feature < q.feature);
    });
    keep_within_margin();
    const bool finite = std::isfinite(manifold_.deepest().gap);
    if (!minima.converged || !finite) manifold_.status = SeparationStatus::not_converged;
    return manifold_;
  }

 private:
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
template Manifold ring_contact(const Ring&, const Pose&, const ConvexShape&, const Pose&, double);
template Manifold ring_contact(const Ring&, const Pose&, const Plane&, const Pose&, double);
template Manifold ring_contact(const Ring&, const Pose&, const HollowCylinder&, const Pose&,
                               double);
template Manifold ring_contact(const Ring&, const Pose&, const HollowCone&, const Pose&, double);
template Manifold ring_contact(const Ring&, const Pose&, const Orifice&, const Pose&, double);
template Manifold ring_contact(const Ring&, const Pose&, const MeshSurface&, const Pose&, double);

}  // namespace scree
