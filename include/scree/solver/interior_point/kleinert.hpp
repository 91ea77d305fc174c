#pragma once

/// The interior point method of Kleinert, Simeon and Obermayr (paper 004, Algorithm 1), as
/// published: in the space of the contacts, from a start on the central path of a larger problem.
///
///     C in x _|_ y in C,   y = N x + c + s d,   s -> 0
///     x = T lambda,  y = T^-1 u,  c = T^-1 r,  N = T^-1 N' T^-1 with N' of the problem
///
/// Each iteration, with w the scaling point of x and y, P(w) x = y:
///
///     alpha = beta x^T y / (2 n),   ds = 2 alpha - s       (line 38, 18)
///     (P(w) + N + R_k) dx = alpha x^-1 - y - ds d            (19 to 23)
///     dy = N dx + ds d                                     (27, 29)
///     x, y, s += theta (dx, dy, ds)                        (24 to 31, Lemma 2)
///     once y - s d in int C:  y -= s d,  s = 0             (32 to 36)
///
/// | symbol | meaning                                                   | shape     | unit |
/// | ---    | ---                                                       | ---       | ---  |
/// | s, d   | artificial variable and its direction (section 4.3)       | 1, rows of the cone | -  |
/// | beta   | by the centrality f: at most 0.1, at most 1, above (5.1); |           |      |
/// |        | path following 0.1, 0.5, 1; potential reduction 0.01, 0.1, 0.5 |      |      |
/// | R_k    | 1/(dt^2 k) (32), one k_n for all contacts, k_n / k_t as in (33) | diagonal | 1/kg |
///
///     f(x, y, s) = 2 m log( ((x^T y + s) / m) / (s prod 2 sqrt(det x_i det y_i))^(1/m) ),  m = n + 1
///
/// and without s, m = n (17). Departs from the paper: the exponent 1/m of f, for the printed 1/n
/// leaves f large on the central path itself; y = T^-1 u, which for one friction coefficient is
/// their T_y u but for a factor, and keeps N symmetric for several; alpha is chosen before the
/// first step, which leads nowhere otherwise; the end is the residual, as of every method (cost and
/// feasibility are in the history). Of line 13 it has N, and so the relaxed law alone: with exact
/// friction y drifts from F by either choice as printed (docs/results/exact_gradient, with what
/// brings it back). Linear solvers are those of `ipm`: mumps or auto for exact steps; bicgstab with
/// ic and max_krylov 500 is the paper's choice. A solve that runs out of iterations still gives a
/// direction, and the reason of the result counts them; ilu soon runs out of them in every solve,
/// as published.

#include <memory>

#include "scree/base/enumeration.hpp"
#include "scree/solver/interior_point/options.hpp"
#include "scree/solver/solver.hpp"

namespace scree {

class Declaration;

/// How far a step aims along the central path: the shares beta above.
enum class KleinertRule { path_following, potential_reduction };
template <>
inline constexpr std::array kNamesOf<KleinertRule> = names("path_following", "potential_reduction");

struct KleinertOptions : InteriorPointOptions {
  KleinertRule beta = KleinertRule::path_following;
  double compliance = 0.0;     ///< 1/(dt^2 k_n), 1/kg
  double poisson_ratio = 0.3;  ///< k_n / k_t (33)
  double start = 0.1;          ///< mu lambda_n of each contact, N s
  std::int64_t spectrum = 0;   ///< Krylov steps that find eigenvalues, at most; 0: none
  void declare(Declaration& d);
};

/// The method, for half lines and second-order cones by the associated law.
std::unique_ptr<Solver> make_kleinert(const KleinertOptions& options);

}  // namespace scree
