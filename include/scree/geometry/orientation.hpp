#pragma once

#include "scree/base/math.hpp"

namespace scree {

class Declaration;

/// Rotation by `angle` about `axis`.
struct AxisAngle {
  Vec3 axis = Vec3::UnitZ();
  double angle = 0.0;  ///< rad

  void declare(Declaration& d);
  Quat rotation() const { return Quat(Eigen::AngleAxisd(angle, axis.normalized())); }
};

/// One of all orientations, each equally likely. @p random: three numbers in [0, 1).
/// Reference: K. Shoemake, Uniform random rotations, Graphics Gems III (1992).
Quat random_rotation(const Vec3& random);

}  // namespace scree
