#pragma once

#include <array>
#include <string_view>

#include "scree/geometry/shapes/shape.hpp"
#include "scree/geometry/shapes/supporting_face.hpp"

namespace scree {

class Declaration;

/// Superellipsoid (superquadric) about the origin of its frame, semi-axes a, b, c along the frame's
/// axes and exponents n1, n2 from 2 on:
///
///     (|x/a|^n2 + |y/b|^n2)^(n1/n2) + |z/c|^n1 <= 1
///
/// With both exponents 2 it is the ellipsoid; n1 makes its outline along z, n2 that of its sections
/// across z a rounded rectangle. This is the unit ball of a norm, so that its support function is
/// the dual norm, with 1/n + 1/q = 1 for both exponents:
///
///     h(d) = ((|a d_x|^q2 + |b d_y|^q2)^(q1/q2) + |c d_z|^q1)^(1/q1)
///
/// Its radii of curvature are at least
///
///     rho = (min(q1, q2) - 1) min(a, b, c)^2 / R,    R the bounding radius,
///
/// so that it is all that is within rho of a convex core. For the norms of L_q1(L_q2), 1 < q <= 2,
/// have v . (h^2 / 2)'' v >= (min(q1, q2) - 1) h(v)^2 (Ball, Carlen and Lieb, Invent. Math. 115
/// (1994) 463: where q1 >= q2 their inequality with the power q1 in its mean, added up by
/// Minkowski's; where q1 < q2 since L_q2 is part of an L_q1). As h'' d = 0, v across d may be
/// shifted along d until h' . v = 0, where h h'' is (h^2 / 2)'': v . h'' v >= (min(q1, q2) - 1)
/// h(v)^2 / h(d), with h(d) <= R |d| and h(v) >= min(a, b, c) |v|; the shift makes v longer.
///
/// Reference: Jaklic, Leonardis and Solina, Segmentation and Recovery of Superquadrics (2000), for
/// volume and moments.
struct Superellipsoid {
  static constexpr std::string_view kType = "superellipsoid";
  static constexpr bool kIsSmooth = true;
  static constexpr std::string_view kHelp =
      "|x/a|^n2 + |y/b|^n2 across z, to n1/n2, + |z/c|^n1 = 1: ellipsoid for exponents of 2, a box "
      "with rounded edges for large ones";
  static constexpr double kLargestRatio = 100.0;  ///< of semi-axes
  static constexpr double kLargestExponent = 20.0;

  std::array<double, 3> semi_axes{};          ///< m
  std::array<double, 2> exponents{2.0, 2.0};  ///< n1, n2

  void declare(Declaration& d);

  Superellipsoid scaled(double factor) const {
    return {{factor * semi_axes[0], factor * semi_axes[1], factor * semi_axes[2]}, exponents};
  }
  Vec3 axes() const { return {semi_axes[0], semi_axes[1], semi_axes[2]}; }
  Vec3 support(const Vec3& direction) const;
  SurfacePoint nearest(const Vec3& p) const;
  Box3 bounds(const Mat3& rotation) const;
  double bounding_radius() const;
  double inscribed_radius() const { return axes().minCoeff(); }
  /// rho, less where that would leave of what is nearly a ball a core of no size.
  double rounding_radius() const;
  double volume() const;
  Vec3 inertia_per_mass() const;
};

}  // namespace scree
