#pragma once

/// Fischer-Newton, for half lines: the root of h = sqrt(x^2 + y^2) - x - y, y = A x + b.
///
///     J = diag(p) + diag(q) A,   p = x / sqrt(x^2 + y^2) - 1,   q = y / sqrt(x^2 + y^2) - 1   (eq. 97)
///     J dx = -h                                                                               (eq. 85)
///
/// Where x_i = y_i = 0, p = a - 1 and q = b - 1 with any |(a, b)| <= 1:
///
/// | strategy      | a, b                                                                      |
/// | ---           | ---                                                                       |
/// | random        | uniform in the disc, from the row and the step: the same on any ranks     |
/// | zero          | 0, 0                                                                      |
/// | perturbation  | those of x_i = epsilon > 0: 1, 0                                          |
/// | approximation | none: products with J are differences of h (eq. 102), by PETSc's MATMFFD  |
///
/// Scaled variables, merit (eq. 103), line search and stopping as of minmap
/// (solver/lcp/minmap.hpp). `approximation` forms no J, and its Krylov method has no
/// preconditioner; the others go to a factorisation where GMRES fails.
///
/// PETSc's semismooth methods, TAO's ssils and asils and SNES' vinewtonssls, find the same
/// solutions of the tests' problems where they end (tests/unit/solver/petsc_oracle_test.cpp). What
/// is here for itself are the strategies, the start by sweeps, and the ends of section 6 by name.
/// Reference: Erleben (paper 002), section 5.5.

#include <memory>
#include <string>

#include "scree/base/enumeration.hpp"
#include "scree/solver/lcp/options.hpp"
#include "scree/solver/solver.hpp"

namespace scree {

class Declaration;

/// Derivative of h where x_i = y_i = 0: the rows of the table above.
enum class FischerStrategy { random, zero, perturbation, approximation };
template <>
inline constexpr std::array kNamesOf<FischerStrategy> = names("random", "zero", "perturbation",
                                                              "approximation");

struct FischerOptions : LcpNewtonOptions {
  FischerStrategy strategy = FischerStrategy::perturbation;
  void declare(Declaration& d);
};

/// @pre the problem has cones of kLcpCones, with exact friction.
std::unique_ptr<Solver> make_fischer(const FischerOptions& options);

}  // namespace scree
