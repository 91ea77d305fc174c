#include "scree/bodies/elasticity.hpp"

#include <cmath>
#include <numbers>

namespace scree {
namespace {

/// (1 - nu^2)/E, 1/Pa.
double normal_compliance(const Elastic& body) {
  if (body.rigid()) return 0.0;
  return (1.0 - body.poisson_ratio * body.poisson_ratio) / body.young_modulus;
}

/// (2 - nu)/G, 1/Pa.
double tangential_compliance(const Elastic& body) {
  if (body.rigid()) return 0.0;
  return (2.0 - body.poisson_ratio) * 2.0 * (1.0 + body.poisson_ratio) / body.young_modulus;
}

}  // namespace

double effective_modulus(const Elastic& a, const Elastic& b) {
  return 1.0 / (normal_compliance(a) + normal_compliance(b));
}

double tangential_ratio(const Elastic& a, const Elastic& b) {
  if (a.rigid() && b.rigid())
    return tangential_ratio({1.0, a.poisson_ratio}, {1.0, b.poisson_ratio});
  return 4.0 * (normal_compliance(a) + normal_compliance(b)) /
         (tangential_compliance(a) + tangential_compliance(b));
}

double effective_radius(double radius_a, double radius_b) {
  return 1.0 / (1.0 / radius_a + 1.0 / radius_b);
}

double hertz_force(double modulus, double radius, double overlap) {
  return 4.0 / 3.0 * modulus * std::sqrt(radius * overlap) * overlap;
}

double hertz_overlap(double modulus, double radius, double force) {
  const double root = std::cbrt(0.75 * force / (modulus * std::sqrt(radius)));
  return root * root;
}

double hertz_tangent_stiffness(double modulus, double radius, double overlap) {
  return 2.0 * modulus * std::sqrt(radius * overlap);
}

double hertz_impact_overlap(double modulus, double radius, double mass, double speed) {
  return std::pow(15.0 / 16.0 * mass * speed * speed / (modulus * std::sqrt(radius)), 0.4);
}

double damping_ratio_of(double restitution) {
  const auto restitution_at = [](double zeta) {
    const double root = std::sqrt(std::abs((1.0 - zeta) * (1.0 + zeta)));
    if (root == 0.0) return std::exp(-2.0);
    const double angle = zeta < 1.0 ? std::atan2(root, zeta) : std::asinh(root);
    return std::exp(-2.0 * zeta * angle / root);
  };
  double low = 0.0;
  double high = 1.0;
  while (restitution_at(high) > restitution) high *= 2.0;
  // halved until the two are neighbours: e falls with zeta
  for (double middle = 0.5 * high; low < middle && middle < high; middle = 0.5 * (low + high)) {
    (restitution_at(middle) >= restitution ? low : high) = middle;
  }
  return low;
}

double rod_stiffness(const Elastic& a, double radius_a, const Elastic& b, double radius_b) {
  const double r_a = std::isfinite(radius_a) ? radius_a : radius_b;
  const double r_b = std::isfinite(radius_b) ? radius_b : radius_a;
  const double strain = (a.rigid() ? 0.0 : r_a / a.young_modulus) +
                        (b.rigid() ? 0.0 : r_b / b.young_modulus);  // m/Pa
  return std::numbers::pi / 4.0 * (r_a + r_b) * (r_a + r_b) / strain;
}

}  // namespace scree
