#pragma once

/// Coordinates of the directions around one.

#include "scree/base/math.hpp"

namespace scree {

using Across = Eigen::Matrix<double, 3, 2>;

/// Two unit vectors across the unit vector @p m and each other.
inline Across basis_across(const Vec3& m) {
  Across basis;
  basis.col(0) = m.unitOrthogonal();
  basis.col(1) = m.cross(basis.col(0));
  return basis;
}

}  // namespace scree
