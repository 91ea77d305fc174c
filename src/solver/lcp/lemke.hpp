#pragma once

/// Lemke's complementary pivoting: exact up to rounding, for small problems, as reference.
///
///     y - A x - e z = b,      x, y, z >= 0,      x_i y_i = 0
///
/// From the basis y, z enters where b is least; then the complement of what left enters, until z
/// leaves (a solution) or nothing blocks (a secondary ray: there is no solution if A is copositive
/// plus, as all positive semidefinite and friction matrices of paper 002 are; reported as
/// infeasible). Rows are chosen by the lexicographic rule, so that no basis returns, degenerate or
/// not.
///
/// | symbol | meaning                                  | shape |
/// | ---    | ---                                      | ---   |
/// | x, y   | the problem's lambda and u = N lambda + r | n    |
/// | z, e   | artificial variable, ones                | 1, n  |
///
/// It starts from the basis in which the rows with a positive impulse of the start have x, as those
/// of the step before mostly still do, where that is one: then e is of ones in that basis, and a
/// ray says nothing, so that the method starts again from y.
///
/// All in the scale sqrt(rho) of each row. The tableau is dense, n x (2 n + 2); every rank gathers
/// N and pivots alike. Iterations are pivots after the start.
/// References: Cottle, Pang, Stone, The Linear Complementarity Problem (1992), section 4.4; Erleben (paper
/// 002), section 5.1.

#include <cstdint>
#include <memory>

#include "scree/solver/solver.hpp"

namespace scree {

inline constexpr std::int64_t kLemkeRows = 1000;

/// @pre the problem has cones of kLcpCones, with exact friction, and its LCP kLemkeRows at most.
std::unique_ptr<Solver> make_lemke();

}  // namespace scree
