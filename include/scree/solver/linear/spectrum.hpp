#pragma once

/// The spread of the eigenvalues of a preconditioned matrix, by which paper 004 judges preconditioners
/// (section 5.2.1, Figure 8).

#include "scree/solver/linear/preconditioner.hpp"
#include "scree/solver/solver.hpp"

namespace scree {

/// Collective. The extreme absolute eigenvalues of P^-1 A as @p steps of a Krylov method see them: those of
/// the projected matrix of conjugate gradients where P is positive definite, and singular values of that
/// of GMRES for `ilu`, which need not be. The low one is an upper bound, close once the method has
/// converged; zero and infinity where the preconditioner cannot be made. @p a: symmetric, MATAIJ
/// with variable blocks set.
Spread eigenvalue_spread(Mat a, Preconditioner preconditioner, PetscInt steps);

}  // namespace scree
