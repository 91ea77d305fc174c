#pragma once

/// Interior point method for cone complementarity problems, in the space of the bodies.
///
///     C in x _|_ y in C,   y = G w + R' x + c,   w = G^T x
///     x = T lambda nu / V,  y = T^-1 u / V,  c = T^-1 r / V,   T = diag(mu, 1, 1)
///     G = T^-1 B / sqrt(nu),   B = J L,   M^-1 = L L^T,   R' = T^-1 R T^-1 / nu
///                                                so that G G^T + R' is N, made unit-free
///
/// Each iteration (Nesterov and Todd's scaling S = P(w_s), S x = y; predictor, then corrector),
/// with H = (S + R' + reg)^-1:
///
///     (I + G^T H G) dw = G^T H (g + r_y) - r_w
///     dx = H (g + r_y - G dw),     dy = g - S dx
///     r_w = w - G^T x,   r_y = y - G w - R' x - c
///
/// | symbol | meaning                                              | shape     |
/// | ---    | ---                                                  | ---       |
/// | C      | second-order cone x_n >= |x_t|, or half line (problem/cones/jordan.hpp) | rows of the cone |
/// | w      | velocity that the impulses give, made unit-free      | 6 a body  |
/// | R'     | compliance of the contacts, made unit-free           | diagonal  |
/// | V, nu  | a typical velocity; the median of tr(N_ii)/dim       | m/s, 1/kg |
/// | g      | -y (predictor); sigma alpha x^-1 - y - second-order term (corrector) | as x |
///
/// Soft contacts weigh 1/R' at most: the condition of the matrix stays below 1 + N/R, and so do the
/// iterations of conjugate gradients below its root, while rigid contacts make them need ever more
/// towards the end.
///
/// The complementarity equation holds exactly whatever the error of the linear solve, which goes
/// into the momentum balance only and is corrected in the next iteration: therefore a loose
/// conjugate gradient is enough. `reg` is proximal: reg dx goes into the dual residual, removed
/// next time, so that it bounds the condition number and does not move the solution.
/// N without bodies (a matrix, or M^-1 without blocks): (S + reg + N) dx = g + r_y instead, R in N,
/// and a factorisation (LU where N is not symmetric) unless conjugate gradients are asked for.
///
/// Rounding. Near the end W has values from 1e-8 to 1e8, and a step is solved for W dx, whose
/// digits dy needs (interior_point/ipm_block.hpp). The digits that are lost for good are those of
/// the distances of x and y to the boundary of C, eps |x| and eps |y|: x^T y has no meaning below
/// some eps |x| |y|, and the method ends there, where contacts slip at residuals of some 1e-9.
///
/// Three steps that do not lessen x^T y are followed by one to the central path, without Mehrotra's
/// second-order term.
///
/// Exact friction, of some cones or all: a fixed point around the method, on the shift mu |u_t| of
/// the bias. It gains two or three digits on the relaxed law and then stagnates on jammed problems;
/// the report says so. The status is always that of the residual of the problem as formulated.
///
/// Where the matrix K would not fit, its products and its diagonal blocks do (`matrix_free`).
///
/// Departs from paper 004, whose own method is solver/interior_point/kleinert.hpp: body space,
/// infeasible start and Mehrotra's steps in place of the artificial variable and the beta rule; R
/// stands in the problem as formulated, where the paper's stands in the matrix alone and biases the
/// result. Reference: paper 004, sections 3 and 4; Mehrotra (1992); Nesterov, Todd (1997).

#include <memory>

#include "scree/solver/interior_point/options.hpp"
#include "scree/solver/solver.hpp"

namespace scree {

class Declaration;

struct IpmOptions : InteriorPointOptions {
  bool matrix_free = false;
  double regularisation = 1e-6;  ///< proximal, unit-free
  double shift = 1.0;            ///< depth of the start, in typical velocities
  std::int64_t max_outer = 10;   ///< rounds of the fixed point for exact friction
  void declare(Declaration& d);
};

/// The method, for half lines and second-order cones.
std::unique_ptr<Solver> make_ipm(const IpmOptions& options);

}  // namespace scree
