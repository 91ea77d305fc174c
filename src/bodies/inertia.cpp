#include "scree/bodies/inertia.hpp"

#include <Eigen/LU>
#include <array>

namespace scree {
namespace {

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

/// Inverse of R diag(principal) R^T in the three degrees of freedom from @p first on.
Mat3 inverse_of_free(const Store& store, std::int32_t slot, const Vec3& principal, int first) {
  std::array<bool, 3> held{};
  for (int axis = 0; axis < 3; ++axis) held[axis] = is_held(store, slot, first + axis);
  // A ball's inertia does not turn with it; rounding would make it seem to.
  if (is_isotropic(principal)) {
    Vec3 inverse = principal.cwiseInverse();
    for (int axis = 0; axis < 3; ++axis) {
      if (held[axis]) inverse[axis] = 0.0;
    }
    return inverse.asDiagonal();
  }
  const Mat3 rotation = store.orientation[slot].toRotationMatrix();
  return inverse_of_free_part(rotation * principal.asDiagonal() * rotation.transpose(), held);
}

}  // namespace

Mat3 inverse_inertia(const Store& store, std::int32_t slot, const Vec3& moments) {
  return inverse_of_free(store, slot, moments, 3);
}

Mat6 inverse_mass_of(const Store& store, std::int32_t slot, const BodyInertia& inertia) {
  Mat6 inverse = Mat6::Zero();
  if (store.fixed[slot] == 0 && is_isotropic(inertia.masses) && is_isotropic(inertia.moments)) {
    inverse.diagonal() << inertia.masses.cwiseInverse(), inertia.moments.cwiseInverse();
    return inverse;
  }
  inverse.topLeftCorner<3, 3>() = inverse_of_free(store, slot, inertia.masses, 0);
  inverse.bottomRightCorner<3, 3>() = inverse_inertia(store, slot, inertia.moments);
  return inverse;
}

}  // namespace scree
