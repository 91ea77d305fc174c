#include "scree/contact/restitution.hpp"

#include <cmath>

namespace scree {
namespace {

/// Half the number of steps that two bodies touch, of the C and S^2 of the header.
double half_duration(double c, double square) {
  const double root = std::sqrt(std::abs(square));
  if (root == 0.0) return c / (c - 1.0);
  if (square > 0.0) return std::atan2(root, c - 1.0) / std::atan2(root, c);
  return std::atanh(root / (c - 1.0)) / std::atanh(root / c);
}

}  // namespace

double restitution_of(const SpringLoss& loss, double q) {
  const auto [theta, zeta] = loss;
  const double c = 1.0 + zeta * q - 0.5 * (1.0 - theta) * q * q;
  // D - C^2, without the difference of numbers that are nearly 1
  const double square =
      q * q *
      ((1.0 - zeta) * (1.0 + zeta) + (1.0 - theta) * (zeta * q - 0.25 * (1.0 - theta) * q * q));
  return std::exp(-half_duration(c, square) * std::log1p(q * (2.0 * zeta + theta * q)));
}

}  // namespace scree
