#include "scree/solver/solve_progress.hpp"

#include <gtest/gtest.h>

#include <ctime>

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

}  // namespace
}  // namespace scree
