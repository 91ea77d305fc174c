#pragma once

/// The linear solver of a Newton step: a Krylov method (conjugate gradients where the matrix is
/// symmetric, else GMRES), or MUMPS. `automatic` begins with the Krylov method for bodies, whose
/// matrix is small and well conditioned at first, and changes to a factorisation where it needs many
/// iterations and the size allows it; without bodies it factorises from the start.

#include <string>

#include "scree/base/petsc.hpp"

namespace scree {

enum class LinearMethod { automatic, krylov, factorisation };

struct LinearOptions {
  LinearMethod method = LinearMethod::automatic;
  std::int64_t max_krylov = 4000;  ///< iterations of one solve
  /// Iterations of one solve that cost as much as a factorisation of some thousand bodies.
  std::int64_t cheaper_than_factorising = 400;
};

/// What is known of the matrices that a LinearSolver gets.
struct MatrixTraits {
  bool symmetric = true;
  bool definite = true;        ///< surely: Cholesky without pivoting will do
  bool uniform_blocks = true;  ///< MATBAIJ; otherwise MATAIJ with variable blocks set
};

class LinearSolver {
 public:
  LinearSolver(const LinearOptions& options, MatrixTraits traits);

  /// Collective. The next solves are with @p matrix, whose values may have changed (its pattern
  /// and size never do).
  void use(Mat matrix);
  /// Collective. Solves from x = 0 to |rhs - A x| <= @p absolute (the Krylov method; a
  /// factorisation ignores it). A Krylov method that breaks down or runs out of iterations gives
  /// way to a factorisation for good where the matrix is of moderate size.
  /// @returns false when no solution was found; x then holds what there is, and is finite or zero.
  bool solve(Vec rhs, Vec x, double absolute);

  /// The next matrices are better conditioned: a Krylov method that had given way is tried again.
  void expect_easier();

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

  LinearOptions options_;
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

}  // namespace scree
