#pragma once

/// The linear solver of an interior point iteration: conjugate gradients, or MUMPS. `auto` begins
/// with conjugate gradients for bodies, whose matrix is small and well conditioned at first, and
/// changes to a factorisation where they need many iterations and the size allows it; without
/// bodies it factorises from the start.

#include <string>

#include "scree/base/petsc.hpp"
#include "scree/solver/options.hpp"

namespace scree::ipm {

/// What is known of the matrices that a LinearSolver gets.
struct MatrixTraits {
  bool symmetric = true;
  bool definite = true;        ///< surely: Cholesky without pivoting will do
  bool uniform_blocks = true;  ///< MATBAIJ; otherwise MATAIJ with variable blocks set
};

class LinearSolver {
 public:
  LinearSolver(const IpmOptions& options, MatrixTraits traits);

  /// Collective. The next solves are with @p matrix, whose values may have changed (its pattern
  /// and size never do).
  void use(Mat matrix);
  /// Collective. Solves from x = 0 to |rhs - A x| <= @p absolute (conjugate gradients; a
  /// factorisation ignores it). Conjugate gradients that break down or run out of iterations give
  /// way to a factorisation for good where the matrix is of moderate size.
  /// @returns false when no solution was found; x then holds what there is, and is finite or zero.
  bool solve(Vec rhs, Vec x, double absolute);

  bool direct() const { return direct_; }
  std::int64_t krylov() const { return krylov_; }
  std::int64_t factorisations() const { return factorisations_; }
  const std::string& note() const { return note_; }

 private:
  void make_krylov();
  void make_direct();
  bool solve_krylov(Vec rhs, Vec x, double absolute);
  bool solve_direct(Vec rhs, Vec x);
  bool may_factorise() const;
  std::int64_t most_krylov() const;

  IpmOptions options_;
  MatrixTraits traits_;
  bool direct_;
  Mat matrix_ = nullptr;
  petsc::Matrix converted_;  ///< MATAIJ copy for MUMPS, of a MATBAIJ
  petsc::Krylov krylov_solver_;
  petsc::Krylov direct_solver_;
  bool factor_is_current_ = false;
  std::int64_t krylov_ = 0;
  std::int64_t factorisations_ = 0;
  std::string note_;
};

}  // namespace scree::ipm
