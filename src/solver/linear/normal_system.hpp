#pragma once

/// The normal equations of a Newton step in the space of the bodies, and their solution:
///
///     K change = rhs,   K = I + G^T H G                              (symbols: body_space.hpp)
///
/// An interior point method has H = (S + reg)^-1, symmetric and definite; `pac` has H = A^-1 rho
/// P', which is not symmetric. K is assembled, or known by its products and its diagonal blocks.

#include <string>
#include <vector>

#include "body_space.hpp"
#include "linear_solver.hpp"

namespace scree {

class NormalSystem {
 public:
  using Numbers = BodySpace::Numbers;

  /// Collective. @p rows: G. @p storage: diagonal_blocks, if K is to be known by its products; of
  /// whole_if_countable that is so where a rank would have more than @p countable entries. @pre @p
  /// problem outlives this.
  NormalSystem(const ContactProblem& problem, BodyRows rows, const LinearOptions& options,
               MatrixTraits traits, BodySpace::Storage storage = BodySpace::Storage::whole,
               std::int64_t countable = petsc::kLargestInt);
  NormalSystem(const NormalSystem&) = delete;
  NormalSystem& operator=(const NormalSystem&) = delete;

  BodySpace& space() { return space_; }
  const BodySpace& space() const { return space_; }
  LinearSolver& linear() { return linear_; }
  const LinearSolver& linear() const { return linear_; }
  /// How the system and its solves differ from those asked for, and why; empty where they do not.
  std::string note() const;

  /// Collective. The solves that follow are with these blocks @p h, which must live as long where K
  /// is known by its products.
  void use(const std::vector<double>& h);
  /// Collective. Solves to |rhs - K change| <= @p absolute. @p rhs counts on the owners; @p change
  /// gets the ghosts' numbers, too. @returns false as LinearSolver::solve does.
  bool solve(const Numbers& rhs, double absolute, Numbers& change);

 private:
  void make_product(MPI_Comm comm);
  static PetscErrorCode multiply(Mat product, Vec x, Vec y) noexcept;

  BodySpace space_;
  LinearSolver linear_;
  petsc::Vector rhs_;
  petsc::Vector solution_;
  petsc::Matrix product_;  ///< K by its products; empty where it is assembled
  const std::vector<double>* h_ = nullptr;
  Numbers factor_;  ///< of a product, ghosts behind
  Numbers image_;
};

}  // namespace scree
