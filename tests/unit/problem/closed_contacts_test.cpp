/// Which contacts count as closed, and what their opening is.

#include <gtest/gtest.h>

#include "scree/problem/measure.hpp"
#include "support/problems.hpp"

namespace scree {
namespace {

TEST(ClosedContacts, BearAThousandthOfTheMeanPositiveImpulse) {
  const ContactProblem problem = test::stack(4).build(MPI_COMM_SELF, FrictionLaw::coulomb, "stack");
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  EXPECT_EQ(closed_contact_bound(MPI_COMM_SELF, problem.cones, lambda.get()), 0.0);
  {
    const petsc::View l(lambda.get());
    l[0] = 3.0;
    l[1] = 50.0;  // a tangent, which does not count
    l[3] = 1.0;
    l[6] = -7.0;  // not positive, which does not count either
  }
  EXPECT_DOUBLE_EQ(closed_contact_bound(MPI_COMM_SELF, problem.cones, lambda.get()), 2e-3);
}

TEST(ClosedContacts, AreNotEquations) {
  Cones cones;
  cones.append(cones::HalfLine{});
  cones.append(cones::Joint{});
  cones.append(cones::HalfLine{});
  const petsc::Vector lambda = petsc::make_vector(MPI_COMM_SELF, cones.rows());
  {
    const petsc::View l(lambda.get());
    l[0] = 1.0;
    l[1] = 50.0;
    l[4] = 3.0;
  }
  EXPECT_DOUBLE_EQ(closed_contact_bound(MPI_COMM_SELF, cones, lambda.get()), 2e-3);
}

/// A joint's first row, which pulls hardest, is no contact that opens.
TEST(Dilation, LeavesEquationsOut) {
  ContactProblem problem;
  problem.cones.append(cones::HalfLine{});
  problem.cones.append(cones::Joint{});
  const auto n = static_cast<PetscInt>(problem.cones.rows());
  problem.r = petsc::make_vector(MPI_COMM_SELF, problem.cones.rows());
  Mat identity = nullptr;
  SCREE_PETSC(MatCreateSeqAIJ(MPI_COMM_SELF, n, n, 1, nullptr, &identity));
  for (PetscInt k = 0; k < n; ++k) SCREE_PETSC(MatSetValue(identity, k, k, 1.0, INSERT_VALUES));
  SCREE_PETSC(MatAssemblyBegin(identity, MAT_FINAL_ASSEMBLY));
  SCREE_PETSC(MatAssemblyEnd(identity, MAT_FINAL_ASSEMBLY));
  problem.delassus.matrix = petsc::Matrix(identity);
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  {
    const petsc::View l(lambda.get());
    l[0] = 1.0;
    l[1] = 50.0;
  }
  EXPECT_DOUBLE_EQ(Measurer(problem).measure(lambda.get()).dilation, 1.0);
}

}  // namespace
}  // namespace scree
