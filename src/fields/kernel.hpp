#pragma once

/// The function that makes fields of grains: a product of one cubic B-spline a direction.
///
///     phi(x) = prod_k B(x_k/h)/h,      h = sqrt(3) w,      phi = 0 where a |x_k| >= 2 h
///     B(q)   = 2/3 - q^2 + |q|^3/2 for |q| < 1,  (2 - |q|)^3/6 for 1 <= |q| < 2
///     S(q)   = integral of B up to q
///
/// Its standard deviation in each direction is the width w, as that of a Gaussian, from which it
/// differs by 4 % of the peak at most; unlike one it ends, at 3.46 w, so that its integral is one
/// without renormalising, and it is twice differentiable, so that stresses have a divergence
/// everywhere. As a product it has closed integrals over boxes: fields are means over the cells of
/// a grid, to rounding (fields/grid.hpp).
///
/// Reference: Goldhirsch, Granular Matter 12 (2010) 239, on what such a function must be.

#include <numbers>

namespace scree {

/// B(q), of integral one and variance 1/3.
double spline(double q);
/// S(q): 0 up to -2, 1 from 2 on.
double spline_integral(double q);

/// h of a coarse-graining function of width @p w, m.
inline double spline_unit(double w) {
  return std::numbers::sqrt3 * w;
}
/// In units of h: from where on the function is zero.
inline constexpr double kSplineReach = 2.0;

}  // namespace scree
