// ranks: 1 2 4
/// With `matrices: petsc` methods take all that they know of a problem from J and M^-1 as PETSc
/// matrices, and do with them what they do with block rows.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "scree/base/whole_vector.hpp"
#include "scree/problem/body_rows.hpp"
#include "scree/problem/matrix_form.hpp"
#include "scree/solver/driver.hpp"
#include "scree/solver/interior_point/ipm.hpp"
#include "support/problems.hpp"
#include "support/repeated_rows.hpp"
#include "support/solver_options.hpp"

namespace scree::matrix_form_test {
namespace {

struct Outcome {
  SolverReport report;
  std::vector<double> lambda;
};

Outcome solve(const ContactProblem& problem, const SolverOptions& options) {
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  Outcome o;
  o.report = SolverDriver(options).solve(problem, lambda.get());
  o.lambda = whole(lambda.get());
  return o;
}

double largest(const std::vector<double>& values) {
  double size = 0.0;
  for (const double value : values) size = std::max(size, std::abs(value));
  return size;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    difference = std::max(difference, std::abs(a[k] - b[k]));
  }
  return difference;
}

test::ProblemBuilder balls(unsigned seed) {
  return test::random_graph(40, 100, seed, true, true);
}

/// Iterations are the same, impulses to 1e-9 of the largest, by judgement: sums are in another
/// order, and steps of a method grow that rounding.
void expect_same(const ContactProblem& problem, SolverOptions options) {
  constexpr double kSame = 1e-9;
  const Outcome by_blocks = solve(problem, options);
  options.matrices = MatrixForm::petsc;
  const Outcome by_matrices = solve(problem, options);
  EXPECT_EQ(by_matrices.report.status, by_blocks.report.status) << by_matrices.report.reason;
  EXPECT_EQ(by_matrices.report.iterations, by_blocks.report.iterations);
  EXPECT_LE(largest_difference(by_matrices.lambda, by_blocks.lambda),
            kSame * largest(by_blocks.lambda));
  EXPECT_NEAR(by_matrices.report.measures.residual, by_blocks.report.measures.residual,
              kSame * std::max(1.0, by_blocks.report.measures.residual));
}

/// Without block rows, so that nothing can come of them.
TEST(MatrixForm, HasNoBlockRows) {
  const ContactProblem problem = balls(1).build(MPI_COMM_WORLD, FrictionLaw::associated, "balls");
  const ContactProblem form = in_matrix_form(problem);
  EXPECT_EQ(form.delassus.blocks, nullptr);
  EXPECT_EQ(form.delassus.jacobian.get(), jacobian(problem));
  EXPECT_EQ(form.delassus.inverse_mass.get(), inverse_mass(problem));
  EXPECT_EQ(in_matrix_form(problem).delassus.jacobian.get(), form.delassus.jacobian.get());
}

/// B B^T by blocks, whose bodies stand in another order, and the scales of the measures.
TEST(MatrixForm, HasTheSameDiagonalBlocks) {
  auto builder = balls(2);
  builder.soften({0.05, 0.08});
  builder.use_own_axes();
  const ContactProblem problem = builder.build(MPI_COMM_WORLD, FrictionLaw::associated, "balls");
  const ContactProblem form = in_matrix_form(problem);
  ASSERT_TRUE(has_body_rows(form));
  constexpr double kRounding = 1e-13;  // of sums of a dozen products
  const auto expect_near = [](const std::vector<double>& a, const std::vector<double>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], kRounding * largest(b));
  };
  expect_near(delassus_diagonal_blocks(form), delassus_diagonal_blocks(problem));
  expect_near(cone_scales(form), cone_scales(problem));
}

TEST(MatrixForm, InteriorPointStepsAreTheSame) {
  SolverOptions options = test::only("ipm", 1e-6);
  options.ipm.linear_solver = LinearSolverName::mumps;
  expect_same(balls(1).build(MPI_COMM_WORLD, FrictionLaw::associated, "balls"), options);
  expect_same(test::stack(6).build(MPI_COMM_WORLD, FrictionLaw::coulomb, "stack"), options);
  options.ipm.linear_solver = LinearSolverName::cg;
  options.ipm.forcing = 1e-10;  // Krylov methods end where they do: their remainders are no matter
  expect_same(test::random_graph(12, 28, 4, true, true)
                  .build(MPI_COMM_WORLD, FrictionLaw::associated, "few balls"),
              options);
}

/// The first steps, whose systems BiCGstab solves to rounding: later ones it leaves where rounding
/// takes it.
TEST(MatrixForm, StepsWithBicgstabAndIncompleteCholeskyAreTheSame) {
  SolverOptions options = test::only("ipm", 1e-4);
  options.stop.max_iterations = 4;
  options.ipm.linear_solver = LinearSolverName::bicgstab;
  options.ipm.preconditioner = Preconditioner::incomplete_cholesky;
  options.ipm.forcing = 1e-10;
  expect_same(balls(1).build(MPI_COMM_WORLD, FrictionLaw::associated, "balls"), options);
}

TEST(MatrixForm, GradientStepsAreTheSame) {
  for (const char* method : {"pgj", "apgd"}) {
    SCOPED_TRACE(method);
    auto options = test::only(method, 1e-6);
    options.stop.max_iterations = 200;
    expect_same(balls(3).build(MPI_COMM_WORLD, FrictionLaw::associated, "balls"), options);
  }
}

/// Half lines of pairs have steps of their own by block rows: there velocities alone are the same,
/// which are unique. The residual of 1e-10 is of energies, which go with their squares: ten times
/// its root.
TEST(MatrixForm, PairsHaveTheSameVelocities) {
  SolverOptions options = test::only("apgd", 1e-10);
  const ContactProblem problem =
      test::bed_of_repeated_rows(3, 3, 1e-2)
          .build(MPI_COMM_WORLD, FrictionLaw::associated, "repeated rows");
  std::vector<std::vector<double>> velocities;
  for (const MatrixForm form : {MatrixForm::blocks, MatrixForm::petsc}) {
    options.matrices = form;
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    const SolverReport report = SolverDriver(options).solve(problem, lambda.get());
    ASSERT_EQ(report.status, Status::converged) << report.reason;
    velocities.push_back(whole(end_velocity(problem, lambda.get()).get()));
  }
  EXPECT_LE(largest_difference(velocities[1], velocities[0]), 1e-4 * largest(velocities[0]));
}

/// Kleinert's method has N from the products of J and M^-1 in either form.
TEST(MatrixForm, KleinertsStepsAreTheSame) {
  auto options = test::only("kleinert", 1e-6);
  options.kleinert.linear_solver = LinearSolverName::mumps;
  expect_same(
      test::random_graph(20, 45, 3, true).build(MPI_COMM_WORLD, FrictionLaw::associated, "balls"),
      options);
}

TEST(MatrixForm, RanksWithoutBodiesOrContacts) {
  auto options = test::only("ipm", 1e-8);
  options.ipm.linear_solver = LinearSolverName::mumps;
  expect_same(test::ball_on_slope(0.3, 0.4).build(MPI_COMM_WORLD, FrictionLaw::associated, "ball"),
              options);
}

/// The first entry of J that is not zero, doubled.
void change_entry(Mat jacobian) {
  PetscInt first = 0;
  PetscInt end = 0;
  SCREE_PETSC(MatGetOwnershipRange(jacobian, &first, &end));
  if (first == 0 && end > 0) {
    PetscInt n = 0;
    const PetscInt* columns = nullptr;
    const double* values = nullptr;
    SCREE_PETSC(MatGetRow(jacobian, 0, &n, &columns, &values));
    const auto entry = std::find_if(values, values + n, [](double value) { return value != 0.0; });
    const PetscInt column = columns[entry - values];
    const double doubled = 2.0 * *entry;
    SCREE_PETSC(MatRestoreRow(jacobian, 0, &n, &columns, &values));
    SCREE_PETSC(MatSetValue(jacobian, 0, column, doubled, INSERT_VALUES));
  }
  SCREE_PETSC(MatAssemblyBegin(jacobian, MAT_FINAL_ASSEMBLY));
  SCREE_PETSC(MatAssemblyEnd(jacobian, MAT_FINAL_ASSEMBLY));
}

/// Impulses follow J, and block rows, which know nothing of the change, tell of it.
TEST(MatrixForm, AChangedEntryOfTheJacobianChangesTheAnswer) {
  constexpr double kTolerance = 1e-4;
  for (const char* method : {"ipm", "pgj"}) {
    SCOPED_TRACE(method);
    const ContactProblem problem =
        test::stack(6).build(MPI_COMM_WORLD, FrictionLaw::associated, "stack");
    auto options = test::only(method, kTolerance);
    options.ipm.linear_solver = LinearSolverName::mumps;
    const Outcome before = solve(problem, options);
    ASSERT_EQ(before.report.status, Status::converged);
    change_entry(jacobian(problem));
    const Outcome by_blocks = solve(problem, options);
    EXPECT_LE(largest_difference(by_blocks.lambda, before.lambda), 1e-6 * largest(before.lambda));
    options.matrices = MatrixForm::petsc;
    const Outcome by_matrices = solve(problem, options);
    EXPECT_GT(largest_difference(by_matrices.lambda, before.lambda), 0.1 * largest(before.lambda));
    EXPECT_NE(by_matrices.report.status, Status::converged);
    EXPECT_GT(by_matrices.report.measures.residual, kTolerance);
    EXPECT_NE(by_matrices.report.reason.find("measured outside"), std::string::npos)
        << by_matrices.report.reason;
  }
}

}  // namespace
}  // namespace scree::matrix_form_test
