#pragma once

/// K = I + G^T H G by blocks of bodies, G as BodyRows. All calls are collective.

#include "ipm_cones.hpp"
#include "scree/problem/body_rows.hpp"
#include "scree/problem/contact_problem.hpp"

namespace scree::ipm {

class BodyMatrix {
 public:
  BodyMatrix(const ContactProblem& problem, const BodyRows& rows);
  /// Sums K for H = (S + reg)^-1 of @p scaling.
  void assemble(const BodyRows& rows, const Scaling& scaling);
  Mat get() const { return matrix_.get(); }

 private:
  void create(const ContactProblem& problem, const BodyRows& rows);

  std::vector<PetscInt> global_;  ///< block row of a local body
  petsc::Matrix matrix_;          ///< MATBAIJ
};

}  // namespace scree::ipm
