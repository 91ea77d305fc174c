#include "scree/solver/linear/spectrum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "scree/solver/interior_point/kleinert.hpp"
#include "support/problems.hpp"

namespace scree {
namespace {

/// diag(values), with a coupling of neighbours; blocks of one row.
petsc::Matrix tridiagonal(const std::vector<double>& diagonal, double across) {
  const auto n = static_cast<PetscInt>(diagonal.size());
  petsc::Matrix a;
  SCREE_PETSC(MatCreateSeqAIJ(PETSC_COMM_SELF, n, n, 3, nullptr, a.out()));
  for (PetscInt i = 0; i < n; ++i) {
    SCREE_PETSC(MatSetValue(a.get(), i, i, diagonal[i], INSERT_VALUES));
    if (across == 0.0 || i + 1 == n) continue;
    SCREE_PETSC(MatSetValue(a.get(), i, i + 1, across, INSERT_VALUES));
    SCREE_PETSC(MatSetValue(a.get(), i + 1, i, across, INSERT_VALUES));
  }
  SCREE_PETSC(MatAssemblyBegin(a.get(), MAT_FINAL_ASSEMBLY));
  SCREE_PETSC(MatAssemblyEnd(a.get(), MAT_FINAL_ASSEMBLY));
  std::vector<PetscInt> sizes(diagonal.size(), 1);
  SCREE_PETSC(MatSetVariableBlockSizes(a.get(), n, sizes.data()));
  return a;
}

TEST(Spectrum, OfADiagonalMatrix) {
  const petsc::Matrix a = tridiagonal({0.5, 1.0, 2.0, 3.0, 40.0}, 0.0);
  const Spread s = eigenvalue_spread(a.get(), Preconditioner::none, 20);
  EXPECT_NEAR(s.low, 0.5, 1e-8);
  EXPECT_NEAR(s.high, 40.0, 1e-8);
}

/// An incomplete factorisation of a tridiagonal matrix is complete: all eigenvalues are 1.
TEST(Spectrum, OfWhatIsPreconditionedWithItself) {
  const petsc::Matrix a = tridiagonal({2.0, 3.0, 4.0, 5.0}, -1.0);
  for (const Preconditioner p :
       {Preconditioner::incomplete_cholesky, Preconditioner::incomplete_lu}) {
    const Spread s = eigenvalue_spread(a.get(), p, 10);
    EXPECT_NEAR(s.low, 1.0, 1e-10) << to_string(p);
    EXPECT_NEAR(s.high, 1.0, 1e-10) << to_string(p);
  }
}

/// 2 - 2 cos(k pi / (n + 1)); Jacobi halves them.
TEST(Spectrum, OfASecondDifference) {
  constexpr int kRows = 30;
  const petsc::Matrix a = tridiagonal(std::vector<double>(kRows, 2.0), -1.0);
  const double angle = std::numbers::pi / (kRows + 1);
  for (const auto& [preconditioner, scale] :
       {std::pair{Preconditioner::none, 1.0}, std::pair{Preconditioner::point_jacobi, 0.5}}) {
    const Spread s = eigenvalue_spread(a.get(), preconditioner, 60);
    EXPECT_NEAR(s.low, scale * (2.0 - 2.0 * std::cos(angle)), 1e-8);
    EXPECT_NEAR(s.high, scale * (2.0 + 2.0 * std::cos(angle)), 1e-8);
  }
}

/// Section 4.6: towards the solution eigenvalues spread, and a compliance bounds the low ones.
TEST(Spectrum, SpreadsAlongThePathAndComplianceBoundsIt) {
  const ContactProblem problem =
      test::random_graph(25, 60, 1).build(PETSC_COMM_SELF, FrictionLaw::associated, "test");
  KleinertOptions options;
  options.linear_solver = LinearSolverName::mumps;
  options.preconditioner = Preconditioner::none;
  options.spectrum = 400;
  StopOptions stop;
  stop.tolerance = 1e-6;
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  const SolverReport report = make_kleinert(options)->solve(problem, stop, lambda.get());
  ASSERT_EQ(report.status, Status::converged) << report.reason;
  const auto& h = report.history;
  for (std::size_t k = 1; k + 1 < h.size(); ++k) {  // the first is zero, off the path
    ASSERT_TRUE(h[k].eigenvalues) << k;
    EXPECT_GT(h[k].eigenvalues->high, h[k].eigenvalues->low);
  }
  EXPECT_FALSE(h.back().eigenvalues);  // no step from there
  const Spread last = *h[h.size() - 2].eigenvalues;
  EXPECT_GT(last.high / last.low, 1e3 * h[1].eigenvalues->high / h[1].eigenvalues->low);

  options.compliance = 0.05;
  stop.max_iterations = 20;
  SCREE_PETSC(VecSet(lambda.get(), 0.0));
  for (const HistoryPoint& point :
       make_kleinert(options)->solve(problem, stop, lambda.get()).history) {
    if (point.eigenvalues) {
      EXPECT_GE(point.eigenvalues->low, 0.05);
    }
  }
}

}  // namespace
}  // namespace scree
