#pragma once

/// Minimum-map Newton, for half lines: the root of h = min(x, y), y = A x + b.
///
///     A_set = {i : y_i < x_i},  F = the others
///     dx_F  = -x_F
///     A_AA dx_A = A_AF x_F - y_A                      (eq. 80) by conjugate gradients or GMRES
///
/// With scaled variables (x = lambda / sqrt(rho), y = sqrt(rho) u) both arguments are of one unit;
/// the merit 1/2 |h|^2 (eq. 64) is in J then, else of the problem's own numbers, as in the paper.
/// Line search and stopping: src/solver/lcp/lcp_newton.hpp. In friction LCPs (eq. 27) without
/// scaling A_AA is singular after a step or two: the slack of a contact is active where its
/// friction is not, and its row is zero. There the method ends without another direction, as the
/// paper reports; on friction LCPs of contacts with that of Levenberg and Marquardt,
///
///     (J^T J + nu I) dx = -J^T h,    nu as |h|,
///
/// which needs no regular J, it goes on. It still ends, now and then, where the merit has a kink
/// from which no direction leads down: from zero impulses in some friction LCPs of ten balls, after
/// 30 sweeps over their contacts in none.
///
/// PETSc's vinewtonrsls differs where y_i = x_i = 0: it holds such rows active. Where it ends
/// with a solution, it is the same (tests/unit/solver/petsc_oracle_test.cpp).
/// Reference: Erleben (paper 002), section 5.4.

#include <memory>

#include "scree/solver/lcp/options.hpp"
#include "scree/solver/solver.hpp"

namespace scree {

/// @pre the problem has cones of kLcpCones, with exact friction.
std::unique_ptr<Solver> make_minmap(const LcpNewtonOptions& options);

}  // namespace scree
