#include "linear_solver.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace scree {
namespace {

/// Rows up to which a factorisation takes over from conjugate gradients unasked.
constexpr PetscInt kModerateRows = 40000;
/// Vectors that GMRES keeps before it restarts.
constexpr PetscInt kGmresRestart = 100;
/// Relative tolerance below which a Krylov method cannot go, whatever is asked.
constexpr double kRoundOff = 1e-14;

bool is_finite(Vec x) {
  PetscReal norm = 0.0;
  SCREE_PETSC(VecNorm(x, NORM_1, &norm));  // a sum carries NaN to every rank, a maximum may not
  return std::isfinite(norm);
}

}  // namespace

LinearSolver::LinearSolver(const LinearOptions& options, MatrixTraits traits)
    : options_(options), traits_(traits), direct_(options.method == LinearMethod::factorisation) {}

void LinearSolver::use(Mat matrix) {
  matrix_ = matrix;
  if (options_.method == LinearMethod::automatic && !traits_.uniform_blocks && may_factorise()) {
    direct_ = true;
  }
  factor_is_current_ = false;
  if (!direct_) make_krylov();
}

void LinearSolver::expect_easier() {
  direct_ = options_.method == LinearMethod::factorisation;
}

bool LinearSolver::may_factorise() const {
  PetscInt rows = 0;
  SCREE_PETSC(MatGetSize(matrix_, &rows, nullptr));
  return rows <= kModerateRows;
}

std::int64_t LinearSolver::most_krylov() const {
  if (options_.method != LinearMethod::automatic || !may_factorise()) return options_.max_krylov;
  return std::min(options_.max_krylov, options_.cheaper_than_factorising);
}

void LinearSolver::make_krylov() {
  if (!krylov_solver_) {
    SCREE_PETSC(
        KSPCreate(PetscObjectComm(reinterpret_cast<PetscObject>(matrix_)), krylov_solver_.out()));
    SCREE_PETSC(KSPSetType(krylov_solver_.get(), traits_.symmetric ? KSPCG : KSPGMRES));
    if (!traits_.symmetric) {
      SCREE_PETSC(KSPSetPCSide(krylov_solver_.get(), PC_RIGHT));
      SCREE_PETSC(KSPGMRESSetRestart(krylov_solver_.get(), kGmresRestart));
    }
    SCREE_PETSC(KSPSetNormType(krylov_solver_.get(), KSP_NORM_UNPRECONDITIONED));
    PC pc = nullptr;
    SCREE_PETSC(KSPGetPC(krylov_solver_.get(), &pc));
    SCREE_PETSC(PCSetType(pc, traits_.uniform_blocks ? PCPBJACOBI : PCVPBJACOBI));
  }
  SCREE_PETSC(KSPSetOperators(krylov_solver_.get(), matrix_, matrix_));
}

void LinearSolver::make_direct() {
  Mat matrix = matrix_;
  if (traits_.uniform_blocks) {
    if (converted_) {
      Mat same = converted_.get();
      SCREE_PETSC(MatConvert(matrix_, MATAIJ, MAT_REUSE_MATRIX, &same));
    } else {
      SCREE_PETSC(MatConvert(matrix_, MATAIJ, MAT_INITIAL_MATRIX, converted_.out()));
    }
    matrix = converted_.get();
  }
  if (traits_.symmetric) SCREE_PETSC(MatSetOption(matrix, MAT_SYMMETRIC, PETSC_TRUE));
  if (traits_.definite) SCREE_PETSC(MatSetOption(matrix, MAT_SPD, PETSC_TRUE));
  if (!direct_solver_) {
    SCREE_PETSC(
        KSPCreate(PetscObjectComm(reinterpret_cast<PetscObject>(matrix)), direct_solver_.out()));
    SCREE_PETSC(KSPSetType(direct_solver_.get(), KSPPREONLY));
    PC pc = nullptr;
    SCREE_PETSC(KSPGetPC(direct_solver_.get(), &pc));
    SCREE_PETSC(PCSetType(pc, traits_.symmetric ? PCCHOLESKY : PCLU));
    SCREE_PETSC(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
  }
  SCREE_PETSC(KSPSetOperators(direct_solver_.get(), matrix, matrix));
  factor_is_current_ = true;
  ++factorisations_;
}

bool LinearSolver::solve(Vec rhs, Vec x, double absolute) {
  if (direct_) return solve_direct(rhs, x);
  if (solve_krylov(rhs, x, absolute)) return true;
  if (!may_factorise()) return false;
  direct_ = true;
  return solve_direct(rhs, x);
}

bool LinearSolver::solve_krylov(Vec rhs, Vec x, double absolute) {
  KSP ksp = krylov_solver_.get();
  SCREE_PETSC(
      KSPSetTolerances(ksp, kRoundOff, absolute, 1e30, static_cast<PetscInt>(most_krylov())));
  SCREE_PETSC(VecSet(x, 0.0));
  SCREE_PETSC(KSPSolve(ksp, rhs, x));
  PetscInt iterations = 0;
  SCREE_PETSC(KSPGetIterationNumber(ksp, &iterations));
  krylov_ += iterations;
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  SCREE_PETSC(KSPGetConvergedReason(ksp, &reason));
  if (reason > 0) return true;
  note_ = fmt::format("{} ended with `{}` after {} iterations",
                      traits_.symmetric ? "conjugate gradients" : "GMRES",
                      KSPConvergedReasons[reason], iterations);
  if (!is_finite(x)) SCREE_PETSC(VecSet(x, 0.0));
  return false;
}

bool LinearSolver::solve_direct(Vec rhs, Vec x) {
  if (!factor_is_current_) make_direct();
  SCREE_PETSC(KSPSolve(direct_solver_.get(), rhs, x));
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  SCREE_PETSC(KSPGetConvergedReason(direct_solver_.get(), &reason));
  if (reason > 0 && is_finite(x)) return true;
  note_ = fmt::format("the factorisation failed (`{}`)", KSPConvergedReasons[reason]);
  SCREE_PETSC(VecSet(x, 0.0));
  return false;
}

}  // namespace scree
