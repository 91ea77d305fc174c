#pragma once

/// Contact problems of one rank and their dense N and r.

#include <Eigen/Core>

#include "scree/problem/contact_problem.hpp"
#include "support/lcps.hpp"

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

/// Contacts of three rows each with this N and r, all of friction coefficient @p mu, on one rank.
inline ContactProblem dense_problem(const Eigen::MatrixXd& n, const Eigen::VectorXd& r, double mu,
                                    FrictionLaw law) {
  ContactProblem p = Lcp{n, r}.build(MPI_COMM_SELF, "dense");
  p.cones = {};
  for (Eigen::Index i = 0; i < r.size(); i += 3) p.cones.append(3, mu, law);
  return p;
}

}  // namespace scree::test
