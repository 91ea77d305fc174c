#pragma once

/// Projected Gauss-Jacobi: all contacts at once, from the velocities of the step before.
///
///     lambda <- P_K( lambda - t rho_i u~(lambda) ),     t = relaxation * 2 / lambda_max
///
/// lambda_max is the largest eigenvalue of N in the metric 1/rho, rho_i = dim / trace(N_ii),
/// estimated by power iteration; t < 2 / lambda_max converges for the associated law. Should the
/// residual grow all the same, t is halved. Slow, and here as the method that papers compare with
/// and the last of the fallbacks.
/// Reference: Kleinert, Simeon, Obermayr (paper 004), section 5; Tasora, Anitescu (2011).

#include <memory>

#include "scree/solver/solver.hpp"

namespace scree {

class Declaration;

struct PgjOptions {
  double relaxation = 0.9;  ///< share of the largest stable step
  void declare(Declaration& d);
};

std::unique_ptr<Solver> make_pgj(const PgjOptions& options);

}  // namespace scree
