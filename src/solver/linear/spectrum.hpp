#pragma once

/// The spread of the eigenvalues of a preconditioned matrix, by which paper 004 judges
/// preconditioners (section 5.2.1, Figure 8).

#include <optional>

#include "scree/solver/linear/preconditioner.hpp"
#include "scree/solver/solver.hpp"

namespace scree {

/// Collective. The extreme eigenvalues of P^-1 A by the Lanczos process of conjugate gradients,
/// with as many steps as leave both the same to 1e-3 when they are doubled, but at most @p steps;
/// the low one of A alone, which the process is slow to find, is one over the high one of A^-1, by
/// a factorisation. With `ilu`, which need not be positive definite, they are extreme singular
/// values of GMRES' Hessenberg matrix. None where they do not settle, or the preconditioner cannot
/// be made. @p a: symmetric and positive definite, MATAIJ with variable blocks set.
std::optional<Spread> eigenvalue_spread(Mat a, Preconditioner preconditioner, PetscInt steps);

}  // namespace scree
