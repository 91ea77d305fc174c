#include "scree/solver/sweeps/projected_scales.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "scree/base/math.hpp"

namespace scree {
namespace {

constexpr double kLeastTangent = 1e-12;  ///< of the normal scale: tangents that nothing moves

}  // namespace

ProjectedScales projected_scales(const std::array<double, 9>& block, double mu) {
  const Mat3 given = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(block.data());
  const Mat3 d = 0.5 * (given + given.transpose());
  const double normal = d(0, 0);
  if (!(normal > 0.0)) return {0.0, 1.0, mu, mu};
  const double half = 0.5 * (d(1, 1) - d(2, 2));
  const double largest = 0.5 * (d(1, 1) + d(2, 2)) + std::sqrt(half * half + d(1, 2) * d(1, 2));
  const double tangent = std::max(largest, kLeastTangent * normal);
  const Vec3 inverse(1.0 / std::sqrt(normal), 1.0 / std::sqrt(tangent), 1.0 / std::sqrt(tangent));
  const Mat3 scaled = inverse.asDiagonal() * d * inverse.asDiagonal();
  const double bound =
      Eigen::SelfAdjointEigenSolver<Mat3>(scaled, Eigen::EigenvaluesOnly).eigenvalues()[2];
  return {std::sqrt(bound * normal), std::sqrt(bound * tangent), mu,
          mu * std::sqrt(tangent / normal)};
}

}  // namespace scree
