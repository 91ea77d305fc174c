#include "ellipsoid_features.hpp"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

FeatureDistance feature_distance(const NearestOnEllipsoid<3>& nearest) {
  return {nearest.outward, nearest.distance, nearest.converged};
}

LineDistance feature_distance(const NearestOnEllipsoid<2>& in_shadow, const Shadow& shadow,
                              const Vec3& semi_axes, const Vec3& start, const Vec3& direction) {
  const Vec3 outward = shadow.in_space(in_shadow.outward);
  const double along = direction.dot(support_of(semi_axes, outward) - start);
  return {{outward, in_shadow.distance, in_shadow.converged}, along};
}

/// Where on a line through the ellipsoid the middle of the chord is.
double middle_of_chord(const Vec3& semi_axes, const Vec3& start, const Vec3& direction) {
  const Vec3 p = start.cwiseQuotient(semi_axes);
  const Vec3 e = direction.cwiseQuotient(semi_axes);
  return -p.dot(e) / e.squaredNorm();
}

}  // namespace

Shadow::Shadow(const Vec3& semi_axes, const Vec3& direction) {
  const Vec3 e1 = direction.unitOrthogonal();
  const Vec3 e2 = direction.cross(e1);
  const Vec3 s1 = semi_axes.cwiseProduct(e1);
  const Vec3 s2 = semi_axes.cwiseProduct(e2);
  const double half_difference = 0.5 * (s1 - s2).dot(s1 + s2);
  const double off = s1.dot(s2);
  const double mean = 0.5 * (s1.squaredNorm() + s2.squaredNorm());
  const double spread = std::hypot(half_difference, off);
  const double largest = mean + spread;
  const Vec3 adjugate(semi_axes.y() * semi_axes.z(), semi_axes.x() * semi_axes.z(),
                      semi_axes.x() * semi_axes.y());
  const double smallest = adjugate.cwiseProduct(direction).squaredNorm() / largest;
  semi_axes_ = {std::sqrt(largest), std::sqrt(smallest)};
  // The eigenvector of the largest eigenvalue at half the angle of (half_difference, off).
  const double angle = 0.5 * std::atan2(off, half_difference);
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  basis_.col(0) = c * e1 + s * e2;
  basis_.col(1) = c * e2 - s * e1;
}

FeatureDistance distance_to_point(const Vec3& semi_axes, const Vec3& p) {
  return feature_distance(nearest_on_ellipsoid<3>(semi_axes, p));
}

LocalMinima<FeatureDistance> minima_to_point(const Vec3& semi_axes, const Vec3& p) {
  LocalMinima<FeatureDistance> minima{distance_to_point(semi_axes, p), std::nullopt};
  if (const auto second = second_nearest_on_ellipsoid<3>(semi_axes, p))
    minima.other = feature_distance(*second);
  return minima;
}

LineDistance distance_to_line(const Vec3& semi_axes, const Vec3& start, const Vec3& direction) {
  const Shadow shadow(semi_axes, direction);
  return feature_distance(nearest_on_ellipsoid<2>(shadow.semi_axes(), shadow.trace(start)), shadow,
                          semi_axes, start, direction);
}

LocalMinima<LineDistance> minima_to_line(const Vec3& semi_axes, const Vec3& start,
                                         const Vec3& direction) {
  const Shadow shadow(semi_axes, direction);
  const Eigen::Vector2d p = shadow.trace(start);
  const auto in_space = [&](const NearestOnEllipsoid<2>& found) {
    return feature_distance(found, shadow, semi_axes, start, direction);
  };
  LocalMinima<LineDistance> minima{in_space(nearest_on_ellipsoid<2>(shadow.semi_axes(), p)),
                                   std::nullopt};
  if (const auto second = second_nearest_on_ellipsoid<2>(shadow.semi_axes(), p)) {
    minima.other = in_space(*second);
  }
  return minima;
}

SegmentDistance distance_to_segment(const Vec3& semi_axes, const Vec3& start, const Vec3& end) {
  using At = SegmentDistance::At;
  const double length = (end - start).norm();
  const Vec3 direction = (end - start) / length;
  const LineDistance line = distance_to_line(semi_axes, start, direction);
  if (line.along >= 0.0 && line.along <= length) return {line, At::inside, true};
  // The distance is convex along the line, with its least at `along` where the line passes by, and
  // somewhere in the chord where it goes through.
  const double least =
      line.distance > 0.0 ? line.along : middle_of_chord(semi_axes, start, direction);
  const bool at_start = least < 0.5 * length;
  const FeatureDistance point = distance_to_point(semi_axes, at_start ? start : end);
  const double inwards = (at_start ? 1.0 : -1.0) * point.outward.dot(direction);
  return {point, at_start ? At::start : At::end, inwards >= 0.0};
}

}  // namespace scree
