#include "scree/solver/solve_progress.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>

#include "support/lcps.hpp"
#include "support/problems.hpp"

namespace scree {
namespace {

/// Reports the same iterate again and again, until the solve ends.
SolverReport stand_still(std::int64_t max_iterations) {
  const ContactProblem problem =
      test::stack(3).build(MPI_COMM_SELF, FrictionLaw::associated, "stack");
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  StopOptions stop;
  stop.max_iterations = max_iterations;
  SolveProgress progress(problem, stop, 1000, lambda.get());
  for (std::int64_t k = 1; !progress.check(k, lambda.get()); ++k) {
  }
  return progress.finish(lambda.get());
}

TEST(SolveProgress, AFewIterationsAreNotCalledStagnation) {
  const SolverReport report = stand_still(50);
  EXPECT_EQ(report.status, Status::iteration_limit) << report.reason;
  EXPECT_EQ(report.iterations, 50);
}

TEST(SolveProgress, TheHistoryTellsWorkAndTime) {
  const ContactProblem problem =
      test::stack(3).build(MPI_COMM_SELF, FrictionLaw::associated, "stack");
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  SolveProgress progress(problem, StopOptions(), 1000, lambda.get());
  const std::clock_t start = std::clock();
  constexpr std::clock_t kWork = CLOCKS_PER_SEC / 50;
  while (std::clock() - start < kWork) {
  }
  progress.report().inner_iterations = 7;
  progress.report().factorisations = 2;
  progress.check(1, lambda.get());
  const SolverReport report = progress.finish(lambda.get());
  ASSERT_EQ(report.history.size(), 2U);
  EXPECT_EQ(report.history[0].factorisations, 0);
  EXPECT_EQ(report.history[1].inner, 7);
  EXPECT_EQ(report.history[1].factorisations, 2);
  EXPECT_GE(report.history[1].processor_seconds, 0.02);
  EXPECT_LT(report.history[0].processor_seconds, report.history[1].processor_seconds);
  EXPECT_FALSE(report.history[1].eigenvalues);
}

TEST(SolveProgress, NoProgressInTheWindowIsStagnation) {
  for (const auto& [limit, window] : {std::pair{200, 100}, std::pair{1000, 300}}) {
    const SolverReport report = stand_still(limit);
    EXPECT_EQ(report.status, Status::stagnated) << report.reason;
    EXPECT_EQ(report.iterations, window);
  }
}

/// A body between two walls that approach, beside one that a third contact stops: impulses of the first two do
/// nothing together, however large, and make the residual as small as one likes.
TEST(SolveProgress, ImpulsesThatGrowWithoutUseEndTheSolve) {
  Eigen::MatrixXd n(3, 3);
  n << 1, -1, 0, -1, 1, 0, 0, 0, 1;
  const Eigen::Vector3d r(-1, -1, -5);
  const ContactProblem problem = test::Lcp{n, r}.build(MPI_COMM_SELF, "wedge");
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  SolveProgress progress(problem, StopOptions(), 1000, lambda.get());
  std::int64_t k = 0;
  bool done = false;
  while (!done) {
    const double grown = 1e6 * static_cast<double>(++k);
    const Eigen::Vector3d x(grown, grown, 5.0);
    to_vec({x.data(), 3}, lambda.get());
    done = progress.check(k, lambda.get());
  }
  const SolverReport report = progress.finish(lambda.get());
  EXPECT_EQ(report.status, Status::stagnated) << report.reason;
  EXPECT_LT(report.measures.residual, 1e-6);
  // E(w) is 2 of 27 without impulses, whatever the first two are
  EXPECT_NEAR(report.measures.remaining, std::sqrt(2.0 / 27.0), 1e-9);
  EXPECT_LE(k, 102);  // the first of 100 iterations that may gain nothing
}

}  // namespace
}  // namespace scree
