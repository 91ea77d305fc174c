#include "linear_solver.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "scree/base/log_stage.hpp"

namespace scree {
namespace {

/// Vectors that GMRES keeps before it restarts.
constexpr PetscInt kGmresRestart = 100;
/// Relative tolerance below which a Krylov method cannot go, whatever is asked.
constexpr double kRoundOff = 1e-14;
/// In pac on matrices scaling costs MUMPS a fifth of its time; residuals are the same without.
constexpr PetscInt kMumpsScaling = 8;  ///< number of the control of MUMPS that scales
constexpr PetscInt kMumpsNoScaling = 0;

bool is_finite(Vec x) {
  PetscReal norm = 0.0;
  SCREE_PETSC(VecNorm(x, NORM_1, &norm));  // a sum carries NaN to every rank, a maximum may not
  return std::isfinite(norm);
}

}  // namespace

LinearSolver::LinearSolver(const LinearOptions& options, MatrixTraits traits)
    : options_(options), traits_(traits), direct_(options.method == LinearMethod::factorisation) {
  if (options_.krylov == KrylovMethod::automatic) {
    options_.krylov = traits.symmetric ? KrylovMethod::conjugate_gradients : KrylovMethod::gmres;
  }
  if (options_.out_of_time) watch_ = std::make_unique<KrylovWatch>(options_.out_of_time);
}

void LinearSolver::use(Mat matrix) {
  matrix_ = matrix;
  if (options_.method == LinearMethod::automatic && !traits_.uniform_blocks && may_factorise()) {
    direct_ = true;
  }
  factor_is_current_ = converted_is_current_ = false;
  if (!direct_) make_krylov();
}

void LinearSolver::expect_easier() {
  direct_ = options_.method == LinearMethod::factorisation;
}

void LinearSolver::expect_new_pattern() {
  direct_ = options_.method == LinearMethod::factorisation;
  krylov_solver_.reset();
  direct_solver_.reset();
  converted_.reset();
}

void LinearSolver::use_products(Mat product, Mat diagonal) {
  matrix_ = product;
  diagonal_ = diagonal;
  direct_ = false;
  make_krylov();
}

bool LinearSolver::may_factorise() const {
  if (diagonal_ != nullptr) return false;
  PetscInt rows = 0;
  SCREE_PETSC(MatGetSize(matrix_, &rows, nullptr));
  return rows <= (traits_.planar ? options_.most_planar_rows : options_.most_rows);
}

std::int64_t LinearSolver::most_krylov() const {
  if (options_.method != LinearMethod::automatic || !may_factorise()) return options_.max_krylov;
  return std::min(options_.max_krylov, options_.cheaper_than_factorising);
}

std::string LinearSolver::krylov_name() const {
  const std::string_view method = options_.krylov == KrylovMethod::conjugate_gradients
                                      ? "conjugate gradients"
                                  : options_.krylov == KrylovMethod::bicgstab ? "BiCGstab"
                                                                              : "GMRES";
  return fmt::format("{} with {}", method, to_string(options_.preconditioner));
}

void LinearSolver::make_krylov() {
  Mat preconditioning = diagonal_ != nullptr ? diagonal_ : matrix_;
  if (diagonal_ == nullptr && wants_scalar_format(options_.preconditioner)) {
    preconditioning = scalar_format();
  }
  const bool fresh = !krylov_solver_;
  if (fresh) {
    SCREE_PETSC(
        KSPCreate(PetscObjectComm(reinterpret_cast<PetscObject>(matrix_)), krylov_solver_.out()));
    KSP ksp = krylov_solver_.get();
    const KrylovMethod method = options_.krylov;
    const bool cg = method == KrylovMethod::conjugate_gradients;
    SCREE_PETSC(KSPSetType(ksp, cg                                 ? KSPCG
                                : method == KrylovMethod::bicgstab ? KSPBCGS
                                                                   : KSPGMRES));
    if (!cg) SCREE_PETSC(KSPSetPCSide(ksp, PC_RIGHT));
    if (method == KrylovMethod::gmres) SCREE_PETSC(KSPGMRESSetRestart(ksp, kGmresRestart));
    SCREE_PETSC(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
    if (watch_) watch_->attach(ksp);
  }
  SCREE_PETSC(KSPSetOperators(krylov_solver_.get(), matrix_, preconditioning));
  if (fresh) {
    set_preconditioner(krylov_solver_.get(), options_.preconditioner, traits_.uniform_blocks);
  }
}

Mat LinearSolver::scalar_format() {
  if (!traits_.uniform_blocks) return matrix_;
  if (converted_is_current_) return converted_.get();
  if (converted_) {
    Mat same = converted_.get();
    SCREE_PETSC(MatConvert(matrix_, MATAIJ, MAT_REUSE_MATRIX, &same));
  } else {
    SCREE_PETSC(MatConvert(matrix_, MATAIJ, MAT_INITIAL_MATRIX, converted_.out()));
  }
  if (traits_.symmetric) SCREE_PETSC(MatSetOption(converted_.get(), MAT_SYMMETRIC, PETSC_TRUE));
  converted_is_current_ = true;
  return converted_.get();
}

void LinearSolver::make_direct() {
  Mat matrix = scalar_format();
  if (traits_.symmetric) SCREE_PETSC(MatSetOption(matrix, MAT_SYMMETRIC, PETSC_TRUE));
  if (traits_.definite) SCREE_PETSC(MatSetOption(matrix, MAT_SPD, PETSC_TRUE));
  const bool fresh = !direct_solver_;
  if (fresh) {
    SCREE_PETSC(
        KSPCreate(PetscObjectComm(reinterpret_cast<PetscObject>(matrix)), direct_solver_.out()));
    SCREE_PETSC(KSPSetType(direct_solver_.get(), KSPPREONLY));
  }
  SCREE_PETSC(KSPSetOperators(direct_solver_.get(), matrix, matrix));
  if (fresh) {
    PC pc = nullptr;
    SCREE_PETSC(KSPGetPC(direct_solver_.get(), &pc));
    SCREE_PETSC(PCSetType(pc, traits_.symmetric ? PCCHOLESKY : PCLU));
    SCREE_PETSC(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
    SCREE_PETSC(PCFactorSetUpMatSolverType(pc));
    Mat factor = nullptr;
    SCREE_PETSC(PCFactorGetMatrix(pc, &factor));
    SCREE_PETSC(MatMumpsSetIcntl(factor, kMumpsScaling, kMumpsNoScaling));
  }
  const LogStage stage(Stage::factorisation);
  SCREE_PETSC(KSPSetUp(direct_solver_.get()));
  factor_is_current_ = true;
  ++factorisations_;
}

bool LinearSolver::solve(Vec rhs, Vec x, double absolute) {
  const LogStage stage(Stage::linear_solves);
  if (direct_) return solve_direct(rhs, x);
  if (solve_krylov(rhs, x, absolute)) return true;
  if (out_of_time()) return false;
  const bool ran_out = ended_ == KSP_DIVERGED_ITS;
  if (ran_out && options_.accept_unfinished) {
    ++unfinished_;
    return true;
  }
  note_failure();
  if (options_.strict) return false;
  if (!ran_out && options_.preconditioner != Preconditioner::point_jacobi) {
    options_.preconditioner = Preconditioner::point_jacobi;
    note_ += fmt::format("; {} from there on", krylov_name());
    krylov_solver_.reset();
    make_krylov();
    if (solve_krylov(rhs, x, absolute)) return true;
    if (out_of_time()) return false;
    note_failure();
  }
  if (!may_factorise()) return false;
  note_ += "; a factorisation from there on";
  direct_ = true;
  return solve_direct(rhs, x);
}

void LinearSolver::note_failure() {
  PetscInt iterations = 0;
  SCREE_PETSC(KSPGetIterationNumber(krylov_solver_.get(), &iterations));
  note_ = fmt::format("{} ended with `{}` after {} iterations", krylov_name(),
                      KSPConvergedReasons[ended_], iterations);
}

bool LinearSolver::solve_krylov(Vec rhs, Vec x, double absolute) {
  KSP ksp = krylov_solver_.get();
  SCREE_PETSC(
      KSPSetTolerances(ksp, kRoundOff, absolute, 1e30, static_cast<PetscInt>(most_krylov())));
  SCREE_PETSC(VecSet(x, 0.0));
  if (watch_) watch_->begin();
  SCREE_PETSC(KSPSolve(ksp, rhs, x));
  if (watch_) watch_->rethrow();
  PetscInt iterations = 0;
  SCREE_PETSC(KSPGetIterationNumber(ksp, &iterations));
  krylov_ += iterations;
  SCREE_PETSC(KSPGetConvergedReason(ksp, &ended_));
  if (ended_ > 0) return true;
  if (!is_finite(x)) SCREE_PETSC(VecSet(x, 0.0));
  return false;
}

bool LinearSolver::solve_direct(Vec rhs, Vec x) {
  if (!factor_is_current_) make_direct();
  PC pc = nullptr;
  SCREE_PETSC(KSPGetPC(direct_solver_.get(), &pc));
  PCFailedReason failed = PC_NOERROR;
  SCREE_PETSC(PCGetFailedReason(pc, &failed));
  if (failed != PC_NOERROR) {
    note_ = fmt::format("the factorisation failed (`{}`)", PCFailedReasons[failed]);
    // PETSc forgets that, and solves with no factors, where the same matrix comes again
    direct_solver_.reset();
    factor_is_current_ = false;
    SCREE_PETSC(VecSet(x, 0.0));
    return false;
  }
  SCREE_PETSC(KSPSolve(direct_solver_.get(), rhs, x));
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  SCREE_PETSC(KSPGetConvergedReason(direct_solver_.get(), &reason));
  if (reason > 0 && is_finite(x)) return true;
  note_ = fmt::format("the factorisation failed (`{}`)", KSPConvergedReasons[reason]);
  SCREE_PETSC(VecSet(x, 0.0));
  return false;
}

}  // namespace scree
