#include "scree/contact/restitution.hpp"

#include <cmath>

namespace scree {
namespace {

/// acos(zeta)/theta: half the number of steps that two bodies touch.
double half_duration(double zeta, double q) {
  const double square = (1.0 - zeta) * (1.0 + zeta);
  const double root = std::sqrt(std::abs(square));
  if (root == 0.0) return (1.0 + q) / q;
  if (square > 0.0) return std::atan2(root, zeta) / std::atan2(q * root, 1.0 + zeta * q);
  return std::asinh(root) / std::atanh(q * root / (1.0 + zeta * q));
}

}  // namespace

double restitution_of(double zeta, double q) {
  return std::exp(-half_duration(zeta, q) * std::log1p(q * (2.0 * zeta + q)));
}

}  // namespace scree
