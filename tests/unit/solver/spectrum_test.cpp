#include "solver/linear/spectrum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "scree/solver/interior_point/kleinert.hpp"
#include "support/dense_matrices.hpp"
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
  const Spread s = eigenvalue_spread(a.get(), Preconditioner::none, 20).value();
  EXPECT_NEAR(s.low, 0.5, 1e-8);
  EXPECT_NEAR(s.high, 40.0, 1e-8);
}

/// An incomplete factorisation of a tridiagonal matrix is complete: all eigenvalues are 1.
TEST(Spectrum, OfWhatIsPreconditionedWithItself) {
  const petsc::Matrix a = tridiagonal({2.0, 3.0, 4.0, 5.0}, -1.0);
  for (const Preconditioner p :
       {Preconditioner::incomplete_cholesky, Preconditioner::incomplete_lu}) {
    const Spread s = eigenvalue_spread(a.get(), p, 10).value();
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
    const Spread s = eigenvalue_spread(a.get(), preconditioner, 60).value();
    EXPECT_NEAR(s.low, scale * (2.0 - 2.0 * std::cos(angle)), 1e-8);
    EXPECT_NEAR(s.high, scale * (2.0 + 2.0 * std::cos(angle)), 1e-8);
  }
}

/// The low end of a spectrum over twelve decades, which Lanczos steps alone would put too high by
/// far, beside a dense method; both are within 1e-3, at which eigenvalues count as settled.
TEST(Spectrum, OfTwelveDecades) {
  constexpr int kRows = 200;
  std::vector<double> diagonal(kRows);
  for (int k = 0; k < kRows; ++k) diagonal[k] = std::pow(10.0, -4.0 + 12.0 * k / (kRows - 1));
  const double across = 4e-5;  // less than half of the smallest: positive definite
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(kRows, kRows);
  for (int k = 0; k < kRows; ++k) {
    dense(k, k) = diagonal[k];
    if (k > 0) dense(k, k - 1) = dense(k - 1, k) = across;
  }
  const Eigen::VectorXd exact = test::eigenvalues(dense);
  const petsc::Matrix a = tridiagonal(diagonal, across);
  const std::optional<Spread> s = eigenvalue_spread(a.get(), Preconditioner::none, 400);
  ASSERT_TRUE(s);
  // the dense method leaves an error of its rounding times the largest eigenvalue
  EXPECT_NEAR(s->low, exact[0], 1e-3 * exact[0] + 1e-15 * exact[kRows - 1]);
  EXPECT_NEAR(s->high, exact[kRows - 1], 1e-3 * exact[kRows - 1]);
}

/// Eigenvalues that so few steps leave open are not reported.
TEST(Spectrum, IsNoneWhereItDoesNotSettle) {
  constexpr int kRows = 2000;
  const petsc::Matrix a = tridiagonal(std::vector<double>(kRows, 2.0), -1.0);
  EXPECT_FALSE(eigenvalue_spread(a.get(), Preconditioner::point_jacobi, 100));
}

/// Section 4.6: towards the solution eigenvalues spread, and a compliance bounds the low ones.
TEST(Spectrum, SpreadsAlongThePathAndComplianceBoundsIt) {
  const ContactProblem problem =
      test::random_graph(25, 60, 1).build(PETSC_COMM_SELF, FrictionLaw::associated, "test");
  KleinertOptions options;
  options.linear_solver = LinearSolverName::mumps;
  options.preconditioner = Preconditioner::none;
  options.spectrum = 400;
  Stop stop;
  stop.goal.residual = 1e-6;
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
