#pragma once

/// N and r of a contact problem of one rank, dense.

#include <Eigen/Core>

#include "scree/problem/contact_problem.hpp"

namespace scree::test {

struct DenseProblem {
  explicit DenseProblem(const ContactProblem& problem) {
    const petsc::Matrix formed = assemble_delassus(problem);
    const petsc::ConstView view(problem.r.get());
    const auto size = static_cast<Eigen::Index>(view.size());
    r = Eigen::Map<const Eigen::VectorXd>(view.data(), size);
    n.resize(size, size);
    for (PetscInt i = 0; i < size; ++i) {
      for (PetscInt j = 0; j < size; ++j) {
        SCREE_PETSC(MatGetValue(formed.get(), i, j, &n(i, j)));
      }
    }
  }
  Eigen::MatrixXd n;
  Eigen::VectorXd r;
};

}  // namespace scree::test
