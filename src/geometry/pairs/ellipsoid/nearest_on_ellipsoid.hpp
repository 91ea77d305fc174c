#pragma once

/// The surface point of an ellipsoid (N = 3) or an ellipse (N = 2) that is nearest to a given
/// point.
///
/// In the principal frame, with semi-axes a_i (shortest a_m) and the given point p, the distance is
/// stationary at surface points x with p - x = t y, y_i = x_i / a_i^2 (the outward normal's
/// direction), that is
///
///     y_i = p_i / (a_m^2 (u + e_i)),   t = a_m^2 (u - 1),   e_i = (a_i / a_m)^2 - 1 >= 0,
///     q(u) = sqrt( sum_i (a_i y_i)^2 ) = 1.
///
/// The nearest point is the one root u >= 0. There 1/q is concave and grows, so that Newton's
/// iteration on 1/q = 1, begun to the left of the root, climbs to it without a step too long. With
/// p on the plane across the shortest axis the root may be at u = 0, where y_m follows from q = 1.
/// Inside, at most one other point is a local minimum of the distance; its root is in
/// -min_(i != m) e_i < u < 0, the sign of y_m turned (the local, not global minimiser of a
/// trust-region problem). No allocation, no exception.
///
/// Reference: D. Eberly, Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid
/// (bisection on the same function); J. M. Martinez, Local minimizers of quadratic functions on
/// Euclidean balls and spheres, SIAM J. Optim. 4 (1994), theorem 3.1 (one other minimiser).

#include <optional>

#include "scree/base/math.hpp"

namespace scree {

template <int N>
struct NearestOnEllipsoid {
  using Vector = Eigen::Matrix<double, N, 1>;

  Vector outward;   ///< unit normal at the nearest surface point, principal frame
  double distance;  ///< signed distance of the given point, m; negative inside
  bool converged;
};

/// The surface point nearest to @p p. Of several equally near ones that on the positive side of the
/// shortest axis (the first of equal axes). @pre semi-axes above zero
template <int N>
NearestOnEllipsoid<N> nearest_on_ellipsoid(const Eigen::Matrix<double, N, 1>& semi_axes,
                                           const Eigen::Matrix<double, N, 1>& p);

/// The other surface point that is nearest among its neighbours, on the far side of the plane
/// across the shortest axis, where there is one.
template <int N>
std::optional<NearestOnEllipsoid<N>> second_nearest_on_ellipsoid(
    const Eigen::Matrix<double, N, 1>& semi_axes, const Eigen::Matrix<double, N, 1>& p);

}  // namespace scree
