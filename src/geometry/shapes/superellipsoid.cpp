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

/// x / whole to the power q - 1, with the sign of @p side; 0 for the zero vector.
double slope(double x, double whole, double q, double side) {
  return whole > 0.0 ? std::copysign(std::pow(x / whole, q - 1.0), side) : 0.0;
}

/// The radius of the least ball around a section: sup of |x|^2 over its norm is a norm's dual, too.
double reach_of(double x, double y, double n) {
  return n == 2.0 ? std::max(x, y) : norm_of(x, y, 2.0 * n / (n - 2.0));
}

}  // namespace

Vec3 Superellipsoid::support(const Vec3& direction) const {
  const double q1 = dual(exponents[0]);
  const double q2 = dual(exponents[1]);
  const Vec3 stretched = axes().cwiseProduct(direction).cwiseAbs();
  const double across = norm_of(stretched.x(), stretched.y(), q2);
  const double whole = norm_of(across, stretched.z(), q1);
  const double out = slope(across, whole, q1, 1.0);
  return axes().cwiseProduct(Vec3(out * slope(stretched.x(), across, q2, direction.x()),
                                  out * slope(stretched.y(), across, q2, direction.y()),
                                  slope(stretched.z(), whole, q1, direction.z())));
}

SurfacePoint Superellipsoid::nearest(const Vec3& p) const {
  const PlacedConvex body(ConvexShape(*this), {}, Vec3::Zero());
  const Sphere none{0.0};
  const PlacedConvex point(ConvexShape(none), {p, Quat::Identity()}, Vec3::Zero());
  const CommonNormal found = common_normal(point, body);
  return {p - found.gap * found.normal, found.normal, found.gap};
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
