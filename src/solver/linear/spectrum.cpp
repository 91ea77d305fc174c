#include "scree/solver/linear/spectrum.hpp"

#include <cmath>
#include <limits>

namespace scree {
namespace {

/// Numbers that meet every eigenvector, by global rows, whose order follows the ranks.
void fill(Vec x) {
  PetscInt first = 0;
  SCREE_PETSC(VecGetOwnershipRange(x, &first, nullptr));
  const petsc::View values(x);
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = std::sin(1.0 + static_cast<double>(first) + static_cast<double>(k));
  }
}

}  // namespace

Spread eigenvalue_spread(Mat a, Preconditioner preconditioner, PetscInt steps) {
  petsc::Vector b;
  petsc::Vector x;
  SCREE_PETSC(MatCreateVecs(a, x.out(), b.out()));
  fill(b.get());
  petsc::Krylov solver;
  SCREE_PETSC(KSPCreate(PetscObjectComm(reinterpret_cast<PetscObject>(a)), solver.out()));
  KSP ksp = solver.get();
  const bool definite = preconditioner != Preconditioner::incomplete_lu;
  SCREE_PETSC(KSPSetType(ksp, definite ? KSPCG : KSPGMRES));
  if (!definite) SCREE_PETSC(KSPGMRESSetRestart(ksp, steps));
  SCREE_PETSC(KSPSetOperators(ksp, a, a));
  SCREE_PETSC(KSPSetComputeSingularValues(ksp, PETSC_TRUE));
  constexpr double kRoundOff = 1e-14;
  SCREE_PETSC(KSPSetTolerances(ksp, kRoundOff, 0.0, 1e300, steps));
  set_preconditioner(ksp, preconditioner, false);
  SCREE_PETSC(KSPSolve(ksp, b.get(), x.get()));
  PetscInt done = 0;
  SCREE_PETSC(KSPGetIterationNumber(ksp, &done));
  Spread spread{0.0, std::numeric_limits<double>::infinity()};
  if (done > 0) SCREE_PETSC(KSPComputeExtremeSingularValues(ksp, &spread.high, &spread.low));
  return spread;
}

}  // namespace scree
