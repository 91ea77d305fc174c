#include "solver/lcp/baraff.hpp"

#include <gtest/gtest.h>

#include <random>

#include "scree/problem/friction_lcp.hpp"
#include "scree/solver/driver.hpp"
#include "support/lcps.hpp"
#include "support/problems.hpp"
#include "support/solver_options.hpp"

namespace scree {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct BaraffOutcome {
  SolverReport report;
  VectorXd x;
};

BaraffOutcome solve_by(const ContactProblem& problem, std::string_view method) {
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  BaraffOutcome o;
  o.report = SolverDriver(test::only(method, 1e-10)).solve(problem, lambda.get());
  const petsc::ConstView view(lambda.get());
  o.x = Eigen::Map<const VectorXd>(view.data(), static_cast<Eigen::Index>(view.size()));
  return o;
}

/// Both are exact up to rounding times the condition of the matrix, some thousand, and what 40
/// pivots add to it: 1e-9 leaves that a factor of a thousand.
TEST(Baraff, FindsLemkesSolutionOfDefiniteProblems) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const ContactProblem problem = test::random_lcp(40, seed, 0.1).build(MPI_COMM_SELF);
    const BaraffOutcome mine = solve_by(problem, "baraff");
    const BaraffOutcome reference = solve_by(problem, "lemke");
    ASSERT_EQ(mine.report.status, Status::converged) << seed << ": " << mine.report.reason;
    ASSERT_EQ(reference.report.status, Status::converged) << seed;
    EXPECT_LE((mine.x - reference.x).norm(), 1e-9 * reference.x.norm()) << seed;
    // rows enter once, but for those that come back
    EXPECT_LE(mine.report.iterations, 3 * 40) << seed;
  }
}

/// A = G G^T of rank 12 in 30 rows, with b = y - A x of complementary x, y >= 0: a solution there
/// is. x is not unique; y is, as that of every semidefinite symmetric problem.
TEST(Baraff, FindsLemkesVelocitiesOfSemidefiniteProblems) {
  constexpr int kRows = 30;
  constexpr int kRank = 12;
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    const MatrixXd g = MatrixXd::NullaryExpr(kRows, kRank, [&] { return normal(random); });
    VectorXd x = VectorXd::Zero(kRows);
    VectorXd y = VectorXd::Zero(kRows);
    for (int i = 0; i < kRows; ++i) (normal(random) > 0.0 ? x : y)[i] = std::abs(normal(random));
    const MatrixXd a = g * g.transpose();
    const test::Lcp lcp{a, y - a * x};
    const ContactProblem problem = lcp.build(MPI_COMM_SELF);
    const BaraffOutcome mine = solve_by(problem, "baraff");
    const BaraffOutcome reference = solve_by(problem, "lemke");
    ASSERT_EQ(mine.report.status, Status::converged) << seed << ": " << mine.report.reason;
    ASSERT_EQ(reference.report.status, Status::converged)
        << seed << ": " << reference.report.reason;
    EXPECT_GE(mine.x.minCoeff(), 0.0);
    // the residuals, 1e-10 of the problem's own scale, which is below that of b by the spread of
    // A's rows
    EXPECT_LE((a * mine.x + lcp.b - y).norm(), 1e-8 * lcp.b.norm()) << seed;
    EXPECT_LE((a * (mine.x - reference.x)).norm(), 1e-8 * lcp.b.norm()) << seed;
  }
}

/// y_1 + y_2 = -2 whatever x is.
TEST(Baraff, SaysThatThereIsNoSolution) {
  const test::Lcp lcp{MatrixXd{{1.0, -1.0}, {-1.0, 1.0}}, VectorXd{{-1.0, -1.0}}};
  const BaraffOutcome o = solve_by(lcp.build(MPI_COMM_SELF), "baraff");
  EXPECT_EQ(o.report.status, Status::infeasible) << o.report.reason;
}

/// The matrix has the eigenvalues 3 and -1: what is done first makes the other pivot 1 - 4.
TEST(Baraff, SaysThatTheMatrixIsNotSemidefinite) {
  const test::Lcp lcp{MatrixXd{{1.0, -2.0}, {-2.0, 1.0}}, VectorXd{{-1.0, -1.0}}};
  const BaraffOutcome o = solve_by(lcp.build(MPI_COMM_SELF), "baraff");
  EXPECT_EQ(o.report.status, Status::breakdown) << o.report.reason;
  EXPECT_NE(o.report.reason.find("not positive semidefinite"), std::string::npos);
}

/// A pyramid's LCP is not symmetric, and a contact with friction no half line.
TEST(Baraff, RefusesFriction) {
  const ContactProblem crate =
      test::crate(2).build(MPI_COMM_SELF, {FrictionLaw::pyramid, 4}, "crate");
  EXPECT_NE(
      fault_of_method("baraff", traits_of(crate)).find("solves problems with half lines only"),
      std::string::npos);
  const FrictionLcp friction(crate);
  const std::string fault = fault_of_method("baraff", traits_of(friction.lcp()));
  EXPECT_NE(fault.find("takes symmetric matrices only"), std::string::npos) << fault;
  EXPECT_NE(fault.find("lemke"), std::string::npos) << fault;
  const petsc::Vector x = petsc::duplicate(friction.lcp().r.get());
  EXPECT_THROW(SolverDriver(test::only("baraff")).solve(friction.lcp(), x.get()), InputError);
}

}  // namespace
}  // namespace scree
