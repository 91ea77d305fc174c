#pragma once

/// The linear solver of a Newton step: a Krylov method with a preconditioner, or MUMPS. `automatic`
/// begins with the Krylov method for bodies, whose matrix is small and well conditioned at first,
/// and changes to a factorisation where it needs many iterations and the size allows it; without
/// bodies it factorises from the start.
///
/// A method that breaks down is replaced, and the note says so: another preconditioner by
/// point-block Jacobi, whose blocks are inverted one by one; the Krylov method to a factorisation
/// where the matrix is of moderate size. Nothing does with `strict`.

#include <functional>
#include <memory>
#include <string>

#include "krylov_watch.hpp"
#include "scree/base/petsc.hpp"
#include "scree/solver/linear/preconditioner.hpp"

namespace scree {

enum class LinearMethod { automatic, krylov, factorisation };
/// `automatic`: conjugate gradients where the matrix is symmetric, else GMRES.
enum class KrylovMethod { automatic, conjugate_gradients, bicgstab, gmres };

struct LinearOptions {
  LinearMethod method = LinearMethod::automatic;
  std::int64_t max_krylov = 4000;  ///< iterations of one solve
  /// Iterations of one solve that cost as much as a factorisation of some thousand bodies.
  std::int64_t cheaper_than_factorising = 400;
  /// Rows up to which a matrix of bodies or contacts is factorised unasked.
  PetscInt most_rows = 80000;
  /// The same of bodies that move in a plane, whose factors fill less: by nested dissection as n
  /// log n, in space as n^(4/3).
  PetscInt most_planar_rows = 400000;
  KrylovMethod krylov = KrylovMethod::automatic;
  Preconditioner preconditioner = Preconditioner::point_jacobi;
  /// A solve that runs out of iterations is as good as it is, not a reason to factorise.
  bool accept_unfinished = false;
  /// Nothing replaces a method that breaks down: the solve fails.
  bool strict = false;
  /// Asked now and then within a Krylov solve; null: no solve is ended by it.
  OutOfTime out_of_time = {};
};

/// Properties of the matrices that a LinearSolver gets.
struct MatrixTraits {
  bool symmetric = true;
  bool definite = true;        ///< surely: Cholesky without pivoting will do
  bool uniform_blocks = true;  ///< MATBAIJ; otherwise MATAIJ with variable blocks set
  bool planar = false;         ///< of bodies that move in a plane
};

class LinearSolver {
 public:
  LinearSolver(const LinearOptions& options, MatrixTraits traits);

  /// Collective. The next solves are with @p matrix, whose values may have changed; its pattern and
  /// size have only after expect_new_pattern().
  void use(Mat matrix);
  /// Collective. The same for a matrix known by its products only, and its @p diagonal blocks
  /// (MATBAIJ), with which it is preconditioned. It is never factorised.
  void use_products(Mat product, Mat diagonal);
  /// Collective. Solves from x = 0 to |rhs - A x| <= @p absolute (the Krylov method; a
  /// factorisation ignores it). A Krylov method that breaks down or runs out of iterations gives
  /// way to a factorisation for good where the matrix is of moderate size; one that is out of time
  /// does not.
  /// @returns false when no solution was found; x then holds what there is, and is finite or zero.
  /// @throws what LinearOptions::out_of_time throws.
  bool solve(Vec rhs, Vec x, double absolute);

  /// The next matrices are better conditioned: a Krylov method that had given way is tried again.
  void expect_easier();
  /// Collective. The next matrices have another pattern or size; what had given way is tried again.
  void expect_new_pattern();

  bool direct() const { return direct_; }
  /// Whether the last solve was ended for want of time.
  bool out_of_time() const { return watch_ && watch_->ended(); }
  std::int64_t krylov() const { return krylov_; }
  std::int64_t factorisations() const { return factorisations_; }
  /// Solves that ran out of iterations, and were taken as they were.
  std::int64_t unfinished() const { return unfinished_; }
  /// The methods that were replaced, by what and why; empty when none was.
  const std::string& note() const { return note_; }

 private:
  std::string krylov_name() const;
  void make_krylov();
  void make_direct();
  Mat scalar_format();
  void note_failure();
  bool solve_krylov(Vec rhs, Vec x, double absolute);
  bool solve_direct(Vec rhs, Vec x);
  bool may_factorise() const;
  std::int64_t most_krylov() const;

  LinearOptions options_;
  MatrixTraits traits_;
  bool direct_;
  Mat matrix_ = nullptr;
  /// Diagonal blocks of a matrix that is known by its products only; not owned.
  Mat diagonal_ = nullptr;
  petsc::Matrix converted_;  ///< MATAIJ copy of a MATBAIJ
  bool converted_is_current_ = false;
  std::unique_ptr<KrylovWatch> watch_;  ///< looks at the time while krylov_solver_ iterates
  petsc::Krylov krylov_solver_;
  petsc::Krylov direct_solver_;
  KSPConvergedReason ended_ = KSP_CONVERGED_ITERATING;  ///< how the last Krylov solve did
  bool factor_is_current_ = false;
  std::int64_t krylov_ = 0;
  std::int64_t unfinished_ = 0;
  std::int64_t factorisations_ = 0;
  std::string note_;
};

}  // namespace scree
