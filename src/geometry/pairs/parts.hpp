#pragma once

/// Contact points of a body of several parts, each of which gives its own.

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include "scree/geometry/pairs/manifold.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/plane.hpp"
#include "scree/geometry/shapes/round_hole.hpp"

namespace scree {

/// The points within the margin, and the deepest in any case.
class PointsOfParts {
 public:
  explicit PointsOfParts(double margin) : margin_(margin) {}

  void add(const ContactPoint& point) {
    const bool deepest = manifold_.size() == 0 || point.gap < deepest_gap_;
    if (!deepest && point.gap > margin_) return;
    // A deepest one beyond the margin is there only until there is a deeper one.
    if (manifold_.size() == 1 && deepest_gap_ > margin_) manifold_.truncate(0);
    manifold_.push_back(point);
    if (!deepest) return;
    deepest_gap_ = point.gap;
    deepest_at_ = manifold_.size() - 1;
  }
  /// Whether a point with at least this gap would be of no use.
  bool is_beyond(double gap) const { return gap > std::max(margin_, deepest_gap_); }
  void note(SeparationStatus status) {
    if (status != SeparationStatus::solved) manifold_.status = status;
  }
  /// The points with the deepest first.
  Manifold taken() {
    std::swap(*manifold_.begin(), *(manifold_.begin() + deepest_at_));
    return std::move(manifold_);
  }

 private:
  double margin_;
  Manifold manifold_;
  double deepest_gap_ = std::numeric_limits<double>::infinity();
  std::size_t deepest_at_ = 0;
};

/// The least gap that a part within @p radius of @p centre may have from anything of @p b, m.
template <class B>
double least_gap(const Vec3& centre, double radius, const B& b, const Pose& pose_b) {
  if constexpr (requires { b.bounding_radius(); }) {
    return (centre - pose_b.position).norm() - radius - b.bounding_radius();
  } else if constexpr (std::is_same_v<B, Plane> || std::is_base_of_v<RoundHole, B>) {
    return b.nearest(pose_b.to_body(centre)).distance - radius;
  } else {
    return -std::numeric_limits<double>::infinity();
  }
}

}  // namespace scree
