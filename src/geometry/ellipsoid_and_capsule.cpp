#include <algorithm>

#include "ellipsoid_point.hpp"
#include "scree/geometry/ellipsoid_contacts.hpp"
#include "scree/geometry/ellipsoid_features.hpp"

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
  void keep_better(WayOut& best, const WayOut& way) const {
    const double distance = separation(way.outward);
    if (distance > best.distance) best = {way.outward, distance, way.converged};
  }
};

/// Overlapping and deep: the best of all local maxima. One across the segment is the shortest way to
/// its line; one towards an end is the shortest way to that end or the other one of it.
WayOut best_of_all(const Core& core) {
  const Vec3 direction = (core.end - core.start).normalized();
  const WayOutOfLine line = way_to_line(core.semi_axes, core.start, direction);
  WayOut best{line.outward, core.separation(line.outward), line.converged};
  for (const Vec3& point : {core.start, core.end}) {
    const Ways<WayOut> ways = ways_to_point(core.semi_axes, point);
    core.keep_better(best, ways.shortest);
    if (ways.other) core.keep_better(best, *ways.other);
  }
  return best;
}

}  // namespace

Manifold ellipsoid_and_capsule(const Ellipsoid& a, const Pose& pose_a, const Vec3& start,
                               const Vec3& end, double radius) {
  if (start == end) return ellipsoid_and_ball(a, pose_a, start, radius);
  const Core core{a.axes(), pose_a.to_body(start), pose_a.to_body(end)};
  const WayOutOfSegment way = way_to_segment(core.semi_axes, core.start, core.end);
  const bool shortest = way.distance > 0.0 || -way.distance <= a.rolling_radius();
  if (way.stationary && shortest) return ellipsoid_point(a, pose_a, way, radius);
  return ellipsoid_point(a, pose_a, best_of_all(core), radius);
}

}  // namespace scree
