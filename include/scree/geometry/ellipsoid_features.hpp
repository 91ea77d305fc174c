#pragma once

/// An ellipsoid against a point, a line and a segment, in its principal frame: the parts of which its
/// contacts with capsules and polytopes are made (ellipsoid_contacts.hpp).
///
/// A line along the unit e touches where its trace touches the ellipsoid's shadow on the plane across
/// e: an ellipse of the matrix B^T diag(a^2) B, B an orthonormal basis of that plane. The shorter of
/// its semi-axes is taken from the determinant e^T adj(diag(a^2)) e, a sum without cancellation.

#include <array>
#include <optional>

#include "scree/geometry/nearest_on_ellipsoid.hpp"

namespace scree {

/// A direction out of an ellipsoid and how far a feature is along it.
struct WayOut {
  Vec3 outward;     ///< unit, the ellipsoid's outward normal where it is nearest, principal frame
  double distance;  ///< m; negative where they overlap
  bool converged;
};

/// The way out of an ellipsoid to a line or a segment, and where that is met: @p along from its start, m.
struct WayOutOfLine : WayOut {
  double along;
};

/// Two ways out at most: the shortest one, and the other that is shortest among its neighbours.
template <class Way>
struct Ways {
  Way shortest;
  std::optional<Way> other;
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

WayOut way_to_point(const Vec3& semi_axes, const Vec3& p);
Ways<WayOut> ways_to_point(const Vec3& semi_axes, const Vec3& p);

/// The line through @p start along the unit @p direction.
WayOutOfLine way_to_line(const Vec3& semi_axes, const Vec3& start, const Vec3& direction);
Ways<WayOutOfLine> ways_to_line(const Vec3& semi_axes, const Vec3& start, const Vec3& direction);

/// The segment from @p start to @p end. Exact when it is apart from the ellipsoid. Overlapping, it is
/// a stationary way out of the segment when `stationary` says so. @pre the ends are two points
struct WayOutOfSegment : WayOut {
  enum class At { start, inside, end };
  At at;
  bool stationary;
};
WayOutOfSegment way_to_segment(const Vec3& semi_axes, const Vec3& start, const Vec3& end);

}  // namespace scree
