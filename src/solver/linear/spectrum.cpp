#include "spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

#include "linear_solver.hpp"

namespace scree {
namespace {

constexpr PetscInt kFirstSteps = 50;
constexpr double kSettled = 1e-3;
/// As many steps as rows see all eigenvalues but for rounding, which keeps on losing those that
/// were found.
constexpr PetscInt kMostPerRow = 4;

/// Numbers that meet every eigenvector, by global rows, whose order follows the ranks.
void fill(Vec x) {
  PetscInt first = 0;
  SCREE_PETSC(VecGetOwnershipRange(x, &first, nullptr));
  const petsc::View values(x);
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = std::sin(1.0 + static_cast<double>(first) + static_cast<double>(k));
  }
}

/// The spectrum as a Krylov process of so many steps sees it.
struct Seen {
  Spread spread;
  bool all = false;  ///< it ended before its last step: there is no more to be seen
};

/// Nothing where the preconditioner cannot be made. Collective.
std::optional<Seen> look(Mat a, Preconditioner preconditioner, PetscInt steps) {
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
  SCREE_PETSC(KSPSetTolerances(ksp, 1e-14, 0.0, 1e300, steps));
  set_preconditioner(ksp, preconditioner, false);
  SCREE_PETSC(KSPSolve(ksp, b.get(), x.get()));
  PetscInt done = 0;
  SCREE_PETSC(KSPGetIterationNumber(ksp, &done));
  if (done == 0) return std::nullopt;
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  SCREE_PETSC(KSPGetConvergedReason(ksp, &reason));
  Seen seen{.spread = {}, .all = reason > 0};
  SCREE_PETSC(KSPComputeExtremeSingularValues(ksp, &seen.spread.high, &seen.spread.low));
  return seen;
}

bool same(double a, double b) {
  return std::abs(a - b) <= kSettled * std::abs(a);
}

enum class Wanted { high, both };

/// Collective.
std::optional<Spread> settled(Mat a, Preconditioner preconditioner, PetscInt most, Wanted wanted) {
  Spread before;
  for (PetscInt steps = std::min(kFirstSteps, most);; steps = std::min(2 * steps, most)) {
    const std::optional<Seen> now = look(a, preconditioner, steps);
    if (!now) return std::nullopt;
    const bool settles = same(now->spread.high, before.high) &&
                         (wanted == Wanted::high || same(now->spread.low, before.low));
    if (now->all || settles) return now->spread;
    if (steps == most) return std::nullopt;
    before = now->spread;
  }
}

/// For PETSc: no exception may pass through it.
PetscErrorCode apply_inverse(Mat shell, Vec x, Vec y) noexcept {
  try {
    LinearSolver* solver = nullptr;
    SCREE_PETSC(MatShellGetContext(shell, &solver));
    solver->solve(x, y, 0.0);
    return 0;
  } catch (const std::exception& error) {
    return PetscError(PETSC_COMM_SELF, __LINE__, __func__, __FILE__, PETSC_ERR_LIB,
                      PETSC_ERROR_INITIAL, "%s", error.what());
  }
}

/// The lowest eigenvalue of @p a. Collective.
std::optional<double> lowest(Mat a, PetscInt most) {
  LinearSolver factorised({.method = LinearMethod::factorisation},
                          {.symmetric = true, .definite = true, .uniform_blocks = false});
  petsc::Matrix copy;  // a factorisation sets flags of its matrix
  SCREE_PETSC(MatDuplicate(a, MAT_COPY_VALUES, copy.out()));
  factorised.use(copy.get());
  PetscInt rows = 0;
  SCREE_PETSC(MatGetLocalSize(a, &rows, nullptr));
  petsc::Matrix inverse;
  SCREE_PETSC(MatCreateShell(PetscObjectComm(reinterpret_cast<PetscObject>(a)), rows, rows,
                             PETSC_DETERMINE, PETSC_DETERMINE, &factorised, inverse.out()));
  SCREE_PETSC(
      MatShellSetOperation(inverse.get(), MATOP_MULT, reinterpret_cast<void (*)()>(apply_inverse)));
  const auto spread = settled(inverse.get(), Preconditioner::none, most, Wanted::high);
  if (!spread || !(spread->high > 0.0))
    return std::nullopt;  // a factorisation that fails gives zeros
  return 1.0 / spread->high;
}

}  // namespace

std::optional<Spread> eigenvalue_spread(Mat a, Preconditioner preconditioner, PetscInt steps) {
  PetscInt rows = 0;
  SCREE_PETSC(MatGetSize(a, &rows, nullptr));
  steps = std::min(steps, kMostPerRow * rows);
  if (preconditioner != Preconditioner::none) {
    return settled(a, preconditioner, steps, Wanted::both);
  }
  const std::optional<Spread> above = settled(a, preconditioner, steps, Wanted::high);
  const std::optional<double> low = lowest(a, steps);
  if (!above || !low) return std::nullopt;
  return Spread{*low, above->high};
}

}  // namespace scree
