#pragma once

/// Exact Coulomb friction to high accuracy: proximal points, each found by semismooth Newton on
/// Alart and Curnier's equation (problem/cones/alart_curnier.hpp), which every cone has.
///
///     centre c;   x = P( x - rho_i (u + r_i (x - c)) ),  u = N x + r;   then c := x
///     r_i = s tr(N_ii)/dim,   rho_i r_i = 0.2
///
/// Newton's step with A_i = I - (1 - rho_i r_i) P'_i, H_i = A_i^-1 rho_i P'_i and F = x - P:
///
///     dx = -A^-1 F - H N dx           bodies: (I + B^T H B) dw = -B^T A^-1 F - (w - B^T x)
///
/// | symbol | meaning                                                     | unit       |
/// | ---    | ---                                                         | ---        |
/// | x      | impulses                                                    | N s        |
/// | w      | B^T x, an unknown of its own: what a loose linear solve leaves goes into w - B^T x | J^1/2 |
/// | s      | proximal parameter: falls after points found quickly, grows after a failure | 1 |
/// | rho_i  | of the equation; tied to r_i, so that A is well conditioned at every s | kg |
///
/// The proximal term makes the inner problem well posed where impulses are not unique, and does not
/// move the solution: at a fixed point x = c. As s falls, proximal points converge superlinearly.
/// The merit of the line search is the energy sum |F_i|^2 / rho_i + |w - B^T x|^2.
///
/// After a point, where points follow each other slowly, a step on in the same direction; then some
/// sweeps of nsgs, which mend single contacts; what makes matters worse is taken back. s falls
/// eagerly or patiently, one way after the other where little is gained (pac.cpp).
///
/// Starts from sweeps of nsgs. A Krylov method solves the linear systems while they are easy, then
/// a factorisation (linear_solver.hpp). Linear systems are in the space of the bodies, or of the
/// contacts where N is a matrix, symmetric or not. Compliance R is part of N: of the matrix, or of
/// the cones' blocks (pac_system.hpp). Exact friction only: the relaxed law has a method that is
/// certain, ipm.
/// References: Alart, Curnier (1991); Rockafellar (1976), Monotone operators and the proximal point
/// algorithm; Acary, Bremond, Huber (2018), On solving contact problems with Coulomb friction.

#include <memory>

#include "scree/solver/solver.hpp"

namespace scree {

std::unique_ptr<Solver> make_pac();

}  // namespace scree
