#pragma once

/// Fixed-size algebra: Eigen under the names the project uses.

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace scree {

using Vec3 = Eigen::Vector3d;
using Vec3i = Eigen::Vector3i;
using Mat3 = Eigen::Matrix3d;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;
/// Unit quaternion that turns body-frame vectors into the world frame. Eigen keeps it as x, y, z,
/// w; files hold w, x, y, z.
using Quat = Eigen::Quaterniond;

/// Matrix of the cross product: skew(a) * b == a.cross(b).
inline Mat3 skew(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

/// Axis-aligned box, world frame, metres. Sides may be infinite.
struct Box3 {
  Vec3 low;
  Vec3 high;

  bool meets(const Box3& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
  bool contains(const Vec3& point) const {
    return (low.array() <= point.array()).all() && (point.array() <= high.array()).all();
  }
  bool contains(const Box3& other) const {
    return (low.array() <= other.low.array()).all() && (other.high.array() <= high.array()).all();
  }
  bool operator==(const Box3& other) const { return low == other.low && high == other.high; }
  Box3 shifted(const Vec3& by) const { return {low + by, high + by}; }
  bool is_empty() const { return (low.array() > high.array()).any(); }
};

/// The box that holds no point.
inline const Box3 kNowhere{Vec3::Constant(1.0), Vec3::Constant(-1.0)};

}  // namespace scree
