#include <algorithm>

#include "ellipsoid_contacts.hpp"
#include "ellipsoid_features.hpp"
#include "ellipsoid_point.hpp"

namespace scree {
namespace {

/// The segment that an ellipsoid meets, in the ellipsoid's frame. It has a length.
struct Core {
  Vec3 semi_axes;
  Vec3 start;
  Vec3 end;

  /// Separation along @p outward: G of the header.
  double separation(const Vec3& outward) const {
    return std::min(outward.dot(start), outward.dot(end)) - semi_axes.cwiseProduct(outward).norm();
  }
  void keep_better(FeatureDistance& best, const FeatureDistance& found) const {
    const double distance = separation(found.outward);
    if (distance > best.distance) best = {found.outward, distance, found.converged};
  }
};

/// The best of all local maxima of the separation, for a deep overlap. One across the segment is
/// the least distance to its line; one towards an end is the least distance to that end, or the
/// other local minimum of it.
FeatureDistance best_of_all(const Core& core) {
  const Vec3 direction = (core.end - core.start).normalized();
  const LineDistance line = distance_to_line(core.semi_axes, core.start, direction);
  FeatureDistance best{line.outward, core.separation(line.outward), line.converged};
  for (const Vec3& point : {core.start, core.end}) {
    const LocalMinima<FeatureDistance> minima = minima_to_point(core.semi_axes, point);
    core.keep_better(best, minima.least);
    if (minima.other) core.keep_better(best, *minima.other);
  }
  return best;
}

}  // namespace

Manifold ellipsoid_and_capsule(const Ellipsoid& a, const Pose& pose_a, const Vec3& start,
                               const Vec3& end, double radius) {
  if (start == end) return ellipsoid_and_ball(a, pose_a, start, radius);
  const Core core{a.axes(), pose_a.to_body(start), pose_a.to_body(end)};
  const SegmentDistance found = distance_to_segment(core.semi_axes, core.start, core.end);
  const bool shortest = found.distance > 0.0 || -found.distance <= a.rolling_radius();
  if (found.stationary && shortest) return ellipsoid_point(a, pose_a, found, radius);
  return ellipsoid_point(a, pose_a, best_of_all(core), radius);
}

}  // namespace scree
