#include <Eigen/LU>
#include <array>

#include "local_bodies.hpp"

namespace scree {
namespace {

bool isotropic(const Vec3& inertia) {
  return inertia.x() == inertia.y() && inertia.y() == inertia.z();
}

bool holds_dof(std::uint8_t fixed, int dof) {
  return (fixed >> dof & 1) != 0;
}

/// The inverse of the rows and columns of @p inertia that are not held, zero in those that are.
Mat3 inverse_of_free_part(const Mat3& inertia, std::uint8_t fixed) {
  std::array<int, 3> axes{};
  int n = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (!holds_dof(fixed, 3 + axis)) axes[n++] = axis;
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

Mat6 inverse_mass_of(const Store& store, std::int32_t slot, const AssembleInput& input) {
  Mat6 inverse = Mat6::Zero();
  const double mass = apparent_mass(store, slot, input.medium, input.dt);
  for (int k = 0; k < 3; ++k) inverse(k, k) = holds_dof(store.fixed[slot], k) ? 0.0 : 1.0 / mass;
  inverse.bottomRightCorner<3, 3>() =
      inverse_inertia(store, slot, apparent_inertia(store, slot, input.medium, input.dt));
  return inverse;
}

Mat3 inverse_inertia(const Store& store, std::int32_t slot, const Vec3& moments) {
  const std::uint8_t fixed = store.fixed[slot];
  // A ball's inertia does not turn with it; rounding would make it seem to.
  if (isotropic(moments)) {
    Vec3 inverse = moments.cwiseInverse();
    for (int axis = 0; axis < 3; ++axis) {
      if (holds_dof(fixed, 3 + axis)) inverse[axis] = 0.0;
    }
    return inverse.asDiagonal();
  }
  const Mat3 rotation = store.orientation[slot].toRotationMatrix();
  return inverse_of_free_part(rotation * moments.asDiagonal() * rotation.transpose(), fixed);
}

}  // namespace scree
