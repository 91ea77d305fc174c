#pragma once

/// An ellipsoid against a point, a line and a segment, in its principal frame: the parts of which
/// its contacts with capsules and polytopes are made (ellipsoid_contacts.hpp).
///
/// A line along the unit e touches where its trace touches the ellipsoid's shadow on the plane
/// across e: an ellipse of the matrix B^T diag(a^2) B, B an orthonormal basis of that plane. The
/// shorter of its semi-axes is taken from the determinant e^T adj(diag(a^2)) e, a sum without
/// cancellation.

#include <array>
#include <optional>

#include "nearest_on_ellipsoid.hpp"

namespace scree {

/// The distance of a feature (point, line, segment, face) from an ellipsoid, and its direction.
struct FeatureDistance {
  Vec3 outward;     ///< unit, the ellipsoid's outward normal where it is nearest, principal frame
  double distance;  ///< m; negative where they overlap
  bool converged;
};

/// The distance of a line, and where on it: `along` from its start, m.
struct LineDistance : FeatureDistance {
  double along;
};

/// Local minima of a distance over directions: the least, and the other one where there is a
/// second.
template <class Distance>
struct LocalMinima {
  Distance least;
  std::optional<Distance> other;
};

/// The shadow of an ellipsoid along a direction.
class Shadow {
 public:
  /// @p direction unit
  Shadow(const Vec3& semi_axes, const Vec3& direction);

  const Eigen::Vector2d& semi_axes() const { return semi_axes_; }
  Eigen::Vector2d trace(const Vec3& p) const { return basis_.transpose() * p; }
  Vec3 in_space(const Eigen::Vector2d& v) const { return basis_ * v; }

 private:
  Eigen::Matrix<double, 3, 2> basis_;  ///< along the principal axes of the shadow
  Eigen::Vector2d semi_axes_;
};

/// The ellipsoid's surface point where the outward normal is @p outward.
inline Vec3 support_of(const Vec3& semi_axes, const Vec3& outward) {
  const Vec3 stretched = semi_axes.cwiseProduct(outward);
  return semi_axes.cwiseProduct(stretched) / stretched.norm();
}

/// The distance of the point @p p.
FeatureDistance distance_to_point(const Vec3& semi_axes, const Vec3& p);
LocalMinima<FeatureDistance> minima_to_point(const Vec3& semi_axes, const Vec3& p);

/// The distance of the line through @p start along the unit @p direction.
LineDistance distance_to_line(const Vec3& semi_axes, const Vec3& start, const Vec3& direction);
LocalMinima<LineDistance> minima_to_line(const Vec3& semi_axes, const Vec3& start,
                                         const Vec3& direction);

/// The distance of a segment. Exact when it is apart from the ellipsoid; where they overlap it is a
/// local minimum over directions when `stationary` says so.
struct SegmentDistance : FeatureDistance {
  enum class At { start, inside, end };
  At at;
  bool stationary;
};
/// The distance of the segment from @p start to @p end. @pre the ends are two points
SegmentDistance distance_to_segment(const Vec3& semi_axes, const Vec3& start, const Vec3& end);

}  // namespace scree
