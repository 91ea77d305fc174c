#pragma once

/// A problem of half lines as the methods of Newton's kind see it: y = A x + b in scaled variables,
///
///     x = lambda / s,   y = s u,   A = s N s,   b = s r,       s_i = sqrt(rho_i), or 1
///
/// With s = sqrt(rho) both x and y are in sqrt(J), and A_ii is 1 or -1 where it is not zero.

#include <cstdint>

#include "scree/problem/contact_problem.hpp"

namespace scree::lcp {

class System {
 public:
  /// Collective. @p rho as of cone_scales().
  System(const ContactProblem& problem, const std::vector<double>& rho, bool scaled);

  /// The matrix A, with places for its diagonal.
  Mat matrix() const { return a_.get(); }
  Vec b() const { return b_.get(); }
  bool symmetric() const { return symmetric_; }

  /// y = A x + b. Collective.
  void velocity(Vec x, Vec y) const;
  /// x = max(lambda / s, 0). Not collective.
  void from_lambda(Vec lambda, Vec x) const;
  /// lambda = s x and u = y / s. Not collective.
  void to_lambda(Vec x, Vec lambda) const;
  void to_velocity(Vec y, Vec u) const;

 private:
  petsc::Matrix a_;
  petsc::Vector b_;
  petsc::Vector s_;
  bool symmetric_;
};

}  // namespace scree::lcp
