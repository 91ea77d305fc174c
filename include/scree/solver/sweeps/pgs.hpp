#pragma once

/// Projected sweeps on J and M^-1, a step a cone instead of its exact solution: projected
/// Gauss-Seidel
/// (`pgs`), successive over-relaxation (`psor`), and the accelerated modulus-based Gauss-Seidel
/// method
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
/// | D_ii   | block of D >= N without blocks between ranks (sweep.hpp)  | 1/kg          |
/// | s_n    | sqrt(D_nn), times the least factor with D_ii <= S_i^2     | 1/sqrt(kg)    |
/// | s_t    | root of the largest eigenvalue of D_tt, times that factor | 1/sqrt(kg)    |
/// | x      | modulus variable: x = l - x_-, x_- in the dual cone, l^T x_- = 0 | sqrt(J) |
/// | alpha  | size of Omega in the modulus form                         | 1             |
/// | d_i    | mean of the diagonal of D_ii (of a row: its own entry)    | 1/kg          |
/// | d      | mean of the diagonal of all rows of N, on all ranks       | 1/kg          |
///
/// The law `box` takes rows one after another, k = n, t1, t2, each on its interval: from 0 to
/// infinity for the normal, from -mu lambda_n to mu lambda_n, as the normal now is, for a tangent:
///
///     x_k <- lambda_k + (1 - omega) x_-_k - omega u_k / D_kk,   u with the moves of the rows before
///     lambda_k <- min( max( low, x_k ), high ),   x_-_k <- lambda_k - x_k
///
/// alpha = 1/2 is pgs, term by term. With the associated law and N symmetric, pgs, psor with omega
/// < 2 and amgs with alpha <= 1/2 converge on any number of ranks. With exact friction they
/// provably do on one rank where contacts affect each other little. docs/notes/sweeps.md has the
/// proofs, how the formulas relate to those of the papers, and where Lemma 4.1 of paper 003 fails.
///
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

/// The diagonal matrix of the modulus form: alpha times N's diagonal, or times that diagonal's
/// mean.
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
