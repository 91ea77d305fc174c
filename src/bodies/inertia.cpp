#include "scree/bodies/inertia.hpp"

#include <Eigen/LU>
#include <array>

namespace scree {
namespace {

bool isotropic(const Vec3& moments) {
  return moments.x() == moments.y() && moments.y() == moments.z();
}

/// The inverse of the rows and columns of @p inertia that are not held, zero in those that are.
Mat3 inverse_of_free_part(const Mat3& inertia, const std::array<bool, 3>& held) {
  std::array<int, 3> axes{};
  int n = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (!held[axis]) axes[n++] = axis;
  }
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3> part(n, n);
  const auto axis = [&axes](int i) { return axes[i]; };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) part(i, j) = inertia(axis(i), axis(j));
  }
  Mat3 inverse = Mat3::Zero();
  if (n == 0) return inverse;
  const auto inverted = part.inverse().eval();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      inverse(axis(i), axis(j)) = 0.5 * (inverted(i, j) + inverted(j, i));
    }
  }
  return inverse;
}

}  // namespace

Mat3 inverse_inertia(const Store& store, std::int32_t slot, const Vec3& moments) {
  std::array<bool, 3> held{};
  for (int axis = 0; axis < 3; ++axis) {
    held[axis] = is_held(store, slot, 3 + axis);
  }
  // A ball's inertia does not turn with it; rounding would make it seem to.
  if (isotropic(moments)) {
    Vec3 inverse = moments.cwiseInverse();
    for (int axis = 0; axis < 3; ++axis) {
      if (held[axis]) inverse[axis] = 0.0;
    }
    return inverse.asDiagonal();
  }
  const Mat3 rotation = store.orientation[slot].toRotationMatrix();
  return inverse_of_free_part(rotation * moments.asDiagonal() * rotation.transpose(), held);
}

}  // namespace scree
