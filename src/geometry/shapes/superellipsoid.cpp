#include "scree/geometry/shapes/superellipsoid.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/pairs/generic/common_normal.hpp"
#include "scree/config/declaration.hpp"

namespace scree {
namespace {

/// (x^p + y^p)^(1/p) of numbers that are not negative, without overflow.
double norm_of(double x, double y, double p) {
  const double larger = std::max(x, y);
  if (!(larger > 0.0)) return 0.0;
  return larger * std::pow(1.0 + std::pow(std::min(x, y) / larger, p), 1.0 / p);
}

/// The exponent of the dual norm.
double dual(double n) {
  return n / (n - 1.0);
}

/// A norm of two numbers that are not negative, and its slopes by them: 0 of the zero vector.
struct SlopedNorm {
  double norm = 0.0;
  double by_x = 0.0;
  double by_y = 0.0;
};

/// (x^p + y^p)^(1/p): its slopes are (x / norm)^(p - 1), in the powers that the norm has.
SlopedNorm sloped_norm(double x, double y, double p) {
  const double larger = std::max(x, y);
  if (!(larger > 0.0)) return {};
  const double ratio = std::min(x, y) / larger;
  const double power = std::pow(ratio, p);
  const double sum = 1.0 + power;
  const double root = std::pow(sum, 1.0 / p);
  const double by_larger = root / sum;
  const double by_smaller = ratio > 0.0 ? by_larger * power / ratio : 0.0;
  return x >= y ? SlopedNorm{larger * root, by_larger, by_smaller}
                : SlopedNorm{larger * root, by_smaller, by_larger};
}

/// The radius of the least ball around a section: sup of |x|^2 over its norm is a norm's dual, too.
double reach_of(double x, double y, double n) {
  return n == 2.0 ? std::max(x, y) : norm_of(x, y, 2.0 * n / (n - 2.0));
}

}  // namespace

Vec3 Superellipsoid::support(const Vec3& direction) const {
  const Vec3 stretched = axes().cwiseProduct(direction).cwiseAbs();
  const SlopedNorm across = sloped_norm(stretched.x(), stretched.y(), dual(exponents[1]));
  const SlopedNorm whole = sloped_norm(across.norm, stretched.z(), dual(exponents[0]));
  const Vec3 sizes(whole.by_x * across.by_x, whole.by_x * across.by_y, whole.by_y);
  return axes().cwiseProduct(sizes.binaryExpr(
      direction, [](double size, double side) { return std::copysign(size, side); }));
}

SurfacePoint Superellipsoid::nearest(const Vec3& p) const {
  const PlacedConvex body(ConvexShape(*this), {}, Vec3::Zero());
  const Sphere none{0.0};
  const PlacedConvex point(ConvexShape(none), {p, Quat::Identity()}, Vec3::Zero());
  const CommonNormal found = common_normal(point, body);
  const double gap = found.gap - body.rounding();
  return {p - gap * found.normal, found.normal, gap};
}

Box3 Superellipsoid::bounds(const Mat3& rotation) const {
  Vec3 reach;
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis = rotation.row(i).transpose();
    reach[i] = axis.dot(support(axis));
  }
  return {-reach, reach};
}

double Superellipsoid::bounding_radius() const {
  return reach_of(reach_of(semi_axes[0], semi_axes[1], exponents[1]), semi_axes[2], exponents[0]);
}

double Superellipsoid::rounding_radius() const {
  const double modulus = dual(std::max(exponents[0], exponents[1])) - 1.0;
  constexpr double kMost = 0.9;
  return inscribed_radius() * std::min(modulus * inscribed_radius() / bounding_radius(), kMost);
}

double Superellipsoid::volume() const {
  const double e1 = 2.0 / exponents[0];
  const double e2 = 2.0 / exponents[1];
  return 2.0 * semi_axes[0] * semi_axes[1] * semi_axes[2] * e1 * e2 *
         std::beta(0.5 * e1 + 1.0, e1) * std::beta(0.5 * e2, 0.5 * e2);
}

Vec3 Superellipsoid::inertia_per_mass() const {
  const double e1 = 2.0 / exponents[0];
  const double e2 = 2.0 / exponents[1];
  const double across = 0.5 * std::beta(1.5 * e2, 0.5 * e2) * std::beta(0.5 * e1, 2.0 * e1 + 1.0);
  const double along = std::beta(0.5 * e2, 0.5 * e2) * std::beta(1.5 * e1, e1 + 1.0);
  const double whole = 2.0 * std::beta(0.5 * e1 + 1.0, e1) * std::beta(0.5 * e2, 0.5 * e2);
  const Vec3 s = axes().cwiseAbs2().cwiseProduct(Vec3(across, across, along)) / whole;
  return {s.y() + s.z(), s.x() + s.z(), s.x() + s.y()};
}

void Superellipsoid::declare(Declaration& d) {
  Vec3 a = axes();
  d.vector("semi_axes", a,
           {.help = "half the lengths a, b, c along the axes; below 1:100 of each other",
            .unit = "m",
            .above = 0.0,
            .required = true});
  d.require("semi_axes", a.maxCoeff() < kLargestRatio * a.minCoeff(),
            "has axes of 1:100 or more; allowed: the longest below 100 times the shortest");
  semi_axes = {a.x(), a.y(), a.z()};
  std::vector<double> n(exponents.begin(), exponents.end());
  d.reals("exponents", n,
          {.help = "n1 of the outline along z, n2 of sections across z; 2: elliptic, 20: a "
                   "rectangle with edges that are hardly rounded",
           .min = 2.0,
           .max = kLargestExponent,
           .required = true,
           .count = 2});
  if (n.size() == exponents.size()) std::copy(n.begin(), n.end(), exponents.begin());
}

}  // namespace scree
