#pragma once

/// N in the units of an interior point method, as a matrix, and what is added to its diagonal
/// blocks.

#include "ipm_system.hpp"

namespace scree::ipm {

class ContactMatrix {
 public:
  /// Collective. T^-1 N T^-1 / nu. @p problem must outlive this.
  ContactMatrix(const ContactProblem& problem, const Units& units);

  /// Collective. result = N x.
  void multiply(const Points& x, Points& result);
  /// Collective. N + @p blocks, dim x dim each, cone after cone; valid until the next call.
  Mat plus(const std::vector<double>& blocks);
  /// Collective. Solves with what plus() gave to @p linear, from zero. @p x may be @p rhs.
  /// @returns false as LinearSolver::solve does.
  bool solve(LinearSolver& linear, const Points& rhs, double absolute, Points& x);

 private:
  const Cones& cones_;
  petsc::Vector rows_;
  petsc::Vector image_;
  petsc::Matrix operator_;
  petsc::Matrix sum_;
};

}  // namespace scree::ipm
