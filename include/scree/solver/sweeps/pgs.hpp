#pragma once

/// Projected sweeps on J and M^-1, a step a cone instead of its exact solution: projected Gauss-Seidel
/// (`pgs`), successive over-relaxation (`psor`), and the accelerated modulus-based Gauss-Seidel method
/// (`amgs`), for half lines and for friction cones. With the scales
///
///     S_i = diag(s_n, s_t, s_t)_i,   D_ii <= S_i^2,   l = S lambda,   v = S^-1 u~,
///     K^  = S K_mu = K_(mu s_t / s_n)
///
///     pgs, psor:  l_i <- P_K^( l_i - omega v_i )                              omega = 1 for pgs
///     amgs:       x_i <- l_i + (1 - omega_i) x_-_i - omega_i v_i
///                 l_i <- P_K^( x_i ),   x_-_i <- P_K^( x_i ) - x_i
///         Omega = alpha D    (`omega: diagonal`)    omega_i = 2 / (1 + 2 alpha)
///         Omega = alpha d E  (`omega: identity`)    omega_i = 2 / (1 + 2 alpha d / d_i)
///
/// | symbol | meaning                                                   | unit          |
/// | ---    | ---                                                       | ---           |
/// | D_ii   | bound on N_ii, of split bodies between ranks (src/solver/sweeps/sweep.hpp) | 1/kg |
/// | s_n    | sqrt(D_nn), s_t the root of the largest eigenvalue of D_tt, both times the least factor with D_ii <= S_i^2 | 1/sqrt(kg) |
/// | x      | modulus variable: x = l - x_-, x_- in the dual cone, l^T x_- = 0 | sqrt(J) |
/// | alpha  | size of Omega in the modulus form                         | 1             |
/// | d_i    | mean of the diagonal of D_ii (of a row: its own entry), d that of all rows of N, on all ranks | 1/kg |
///
/// On a half line S_i^2 = A_ii, and these are eq. 56 and eq. 59 of paper 002, and Method 3.1 of paper
/// 003 for gamma = 2 (its x is x here over s_n): with c = A_ii + 2 Omega_ii and omega = 2 A_ii / c,
///     x_i - 2/c (u_i - 2 Omega_ii x_-) = x_+ - omega u_i/A_ii + (2 - omega - 1) x_-.
/// So Omega = D/gamma, alpha = 1/2, is pgs, term by term, whatever the matrix (and for any gamma): paper
/// 003 counts half of the iterations of PGS for it, which no reading of its formulas gives. A held contact
/// is over-relaxed by omega: alpha = 1/4 needs about half of the sweeps of pgs. amgs differs from psor
/// where a contact is open: x_- delays its closing. Of identity, whose d / gamma is the paper's omega bar for
/// alpha = 1/2, light contacts (d_i > d) are over-relaxed and heavy ones under-relaxed. On a cone Omega_i is a
/// multiple of S_i^2, so that it and the cone's shape go together: alpha (d / d_i) S_i^2.
///
/// The accelerated SOR form of the paper (M_1 = D/a - L) is Method 3.1 with D/a for D: with Omega = D / (gamma a)
/// it is psor of relaxation a, term by term. Its Jacobi form, the AOR form and those without acceleration use x and |x| of
/// rows before in the sweep apart from each other, need A formed, and are in scripts/bench/planar alone.
///
/// Cones: Moreau's x = P_K^(x) - P_K^*(-x) takes the place of the positive and the negative part, which
/// paper 003 left open. At a fixed point x_- = v / (2 alpha), so that v is in the dual cone, and l^T v = 0.
///
/// The law `box` (Method 3.2): rows one after another, k = n, t1, t2, each by itself on its interval,
///
///     x_k <- lambda_k + (1 - omega) x_-_k - omega u_k / D_kk,   u with the moves of the rows before
///     lambda_k <- min( max( low, x_k ), high ),   x_-_k <- lambda_k - x_k
///
/// from 0 to infinity for the normal, from -mu lambda_n to mu lambda_n, as the normal now is, for a
/// tangent. As printed, x_- is what x lacks to 0 alone: where an upper bound holds, x grows by omega |u|/D each sweep,
/// and comes back late; with low < 0 held tangents alternate (tests/unit/solver/box_test.cpp). Here x_- is of either
/// bound, and tends to u / (2 alpha D). With bounds that stand still the proof below holds row by row; that they
/// move with the normal makes it a fixed-point iteration without proof.
///
/// Convergence, associated law, N symmetric, 0 < alpha <= 1/2 (1 <= omega < 2), any number of ranks:
/// for d = l' - l the projection's inequality at l gives
///     v^T d <= -( |d|^2 + (omega - 1) x_-^T l' ) / omega <= -|d|^2 / omega,
/// since x_-^T l = 0 and x_- is in the dual cone; hence F falls by (1/omega - 1/2) |d|^2 at least, as it
/// does for psor with 0 < omega < 2. So d tends to 0, and x_- <- (omega - 1) x_- + omega v + d follows
/// v / (2 alpha): where the impulses converge (N definite), they do so to a solution. For alpha > 1/2 the
/// term in x_- changes its sign, F may rise, and there is no such proof: that of paper 003 (Corollary
/// 4.3) is of half lines, and asks tau = |(D - L)^-1 U| < min(1, 2 alpha). The same holds with Omega = alpha d E
/// where alpha d <= d_i / 2 for every contact.
///
/// Convergence, half lines, any Omega: Theorem 4.2 of paper 003 has |x' - x*| <= delta |x - x*| with
///     delta = 2 |(D + 2 Omega)^-1 D| tau + |(D + 2 Omega)^-1 (2 Omega - D)|,
/// by its Lemma 4.1 (25), which takes the norm of a triangular matrix for that of its diagonal. That is false
/// (rows 1 0, 1 1 have the norm 1.62), and so is the bound of a sweep: a chain of 20 contacts, D = 1 and the
/// entries beside it -1/4, has delta = 0.554 for alpha = 1, and a sweep that leaves 0.596 of an error. What
/// eq. 17 gives without the lemma is, with entries' absolute values,
///     |x' - x*| <= (D + 2 Omega - 2 |L|)^-1 ( 2 |U| + |2 Omega - D| ) |x - x*|   row by row,
/// so that a spectral radius of that matrix below 1 is enough, symmetric or not
/// (tests/unit/solver/sweep_convergence_test.cpp).
///
/// Convergence, exact law, one rank: projections do not expand, and the shift mu |u_t| changes by no more
/// than mu times the change of u_t. So with N^ = S^-1 N S^-1, mu^ = mu s_t / s_n and
///     a_ii = |1 - omega N^_ii| + omega mu^_i |(N^_ii)_t|,   a_ij = omega ( |N^_ij| + mu^_i |(N^_ij)_t| )
/// (for amgs, whose l and x_- together do not expand, sqrt(a_ii^2 + (omega - 1)^2) on the diagonal) a sweep
/// moves contact i by sum_j a_ij |change of j| at most, changes before it in the sweep being new ones. If the
/// spectral radius of A is below 1, sweeps converge linearly from anywhere to the only solution: contacts
/// that feel each other little, as a ball on a plane with mu < sqrt(2/7). Jammed beds are far beyond that;
/// there sweeps mostly converge, but need not: one contact of strongly coupled rows and mu = 1.5 makes them
/// cycle (tests/unit/solver/sweep_convergence_test.cpp), and rows that depend on each other make them slow.
/// References: Erleben (paper 002), sections 5.2 and 5.3; Miyamoto, Yamashita (paper 003), Methods 3.1
/// and 3.2.

#include <array>
#include <memory>

#include "scree/base/enumeration.hpp"
#include "scree/solver/solver.hpp"

namespace scree {

class Declaration;

struct PgsOptions {
  bool inertia = false;
  void declare(Declaration& d);
};

struct PsorOptions {
  double relaxation = 0.0;  ///< omega; 0: what suits sweeps with inertia, or without
  bool inertia = true;
  void declare(Declaration& d);
};

/// The diagonal matrix of the modulus form: alpha times N's diagonal, or times that diagonal's mean.
enum class ModulusOmega { diagonal, identity };
template <>
inline constexpr std::array kNamesOf<ModulusOmega> = names("diagonal", "identity");

struct AmgsOptions {
  double alpha = 0.25;
  ModulusOmega omega = ModulusOmega::diagonal;
  void declare(Declaration& d);
};

std::unique_ptr<Solver> make_pgs(const PgsOptions& options);
std::unique_ptr<Solver> make_psor(const PsorOptions& options);
std::unique_ptr<Solver> make_amgs(const AmgsOptions& options);

}  // namespace scree
