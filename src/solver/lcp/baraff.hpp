#pragma once

/// Incremental pivoting, for small problems whose matrix is symmetric and positive semidefinite:
/// contacts without friction.
///
///     y = A x + b,      x, y >= 0,      x_i y_i = 0
///
/// The rows that are done stand in A_set, where y_i = 0, or F, where x_i = 0, and satisfy their
/// conditions. The row j that violates its own most is done next: x_j rises from 0, which changes
///
///     dx_A = -A_AA^-1 A_Aj,      dy_F = A_Fj + A_FA dx_A,      dy_j = A_jj + A_jA dx_A
///
/// per unit of it, until y_j is 0; a row of A_set whose x reaches 0 before goes to F, one of F
/// whose y does to A_set. Where nothing stops x_j there is no solution. The method ends where no
/// row that is left violates its condition: such rows have x = 0.
///
/// The changes stand in column j of the tableau, which is A pivoted on A_set: a row that changes
/// sets costs one pivot, of n^2 operations. Where A is semidefinite, A_AA stays regular: dy_j = 0
/// there stops nothing until a row of A_set does, and a row whose own pivot is 0 is left alone by
/// every change. A pivot below zero says that A is not semidefinite.
///
/// All in the scale sqrt(rho) of each row. The tableau is dense, n x n; every rank gathers N and
/// pivots alike. Where it starts plays no part. Iterations are pivots.
/// References: Baraff, Fast contact force computation for nonpenetrating rigid bodies, SIGGRAPH (1994); Erleben (paper
/// 002), section 5.1.1; Cottle, Pang, Stone, The Linear Complementarity Problem (1992),
/// section 4.2.

#include <memory>

#include "scree/solver/solver.hpp"

namespace scree {

inline constexpr std::int64_t kBaraffRows = 2000;

/// @pre the problem has half lines only, kBaraffRows at most, and N is symmetric.
std::unique_ptr<Solver> make_baraff();

}  // namespace scree
