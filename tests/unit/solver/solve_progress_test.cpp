#include "scree/solver/solve_progress.hpp"

#include <gtest/gtest.h>

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

TEST(SolveProgress, NoProgressInTheWindowIsStagnation) {
  for (const auto& [limit, window] : {std::pair{200, 100}, std::pair{1000, 300}}) {
    const SolverReport report = stand_still(limit);
    EXPECT_EQ(report.status, Status::stagnated) << report.reason;
    EXPECT_EQ(report.iterations, window);
  }
}

}  // namespace
}  // namespace scree
