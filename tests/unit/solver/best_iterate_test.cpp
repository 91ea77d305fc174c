#include "solver/progress/best_iterate.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "solver/progress/infeasibility.hpp"

namespace scree {
namespace {

MeasuredIterate of_residual(double residual) {
  MeasuredIterate iterate;
  iterate.measures.residual = residual;
  return iterate;
}

petsc::Vector filled(double value) {
  petsc::Vector lambda = petsc::make_vector(MPI_COMM_SELF, 3);
  SCREE_PETSC(VecSet(lambda.get(), value));
  return lambda;
}

double first_of(Vec lambda) {
  return petsc::ConstView(lambda)[0];
}

TEST(BestIterate, KeepsTheNearestAndEachSolution) {
  const Goal goal{.residual = 1e-4};
  BestIterate best(of_residual(1e-2), filled(1.0).get());
  best.offer(of_residual(2e-2), filled(2.0).get(), goal);
  EXPECT_EQ(first_of(best.lambda()), 1.0);
  EXPECT_FALSE(best.is_last());
  best.offer(of_residual(1e-3), filled(3.0).get(), goal);
  EXPECT_EQ(first_of(best.lambda()), 3.0);
  EXPECT_TRUE(best.is_last());
  EXPECT_EQ(best.residual(), 1e-3);
  MeasuredIterate solution = of_residual(1e-3);  // no nearer, but all that is asked for
  solution.solved = true;
  best.offer(solution, filled(4.0).get(), goal);
  EXPECT_EQ(first_of(best.lambda()), 4.0);
}

TEST(BestIterate, StartsFromZeroWhereTheStartIsNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const BestIterate best(of_residual(nan), filled(nan).get());
  EXPECT_EQ(first_of(best.lambda()), 0.0);
  EXPECT_FALSE(best.is_last());
}

TEST(Infeasibility, IsHiddenByASmallResidualOnly) {
  const Goal goal{.residual = 1e-4};
  EXPECT_FALSE(hides_error(of_residual(1e-3), goal));
  MeasuredIterate small = of_residual(1e-5);
  EXPECT_TRUE(hides_error(small, goal));
  small.solved = true;
  EXPECT_FALSE(hides_error(small, goal));
}

TEST(Infeasibility, IsHalfOfTheErrorWithoutImpulses) {
  MeasuredIterate small = of_residual(1e-5);
  small.measures.remaining = 0.49;
  EXPECT_FALSE(gains_nothing(small));
  small.measures.remaining = 0.5;
  EXPECT_TRUE(gains_nothing(small));
  EXPECT_NE(hidden_error(small).find("50 % of the error without impulses"), std::string::npos);
  small.contact_error = 0.25;
  EXPECT_NE(hidden_error(small).find("one contact in its own units is 0.25"), std::string::npos);
}

}  // namespace
}  // namespace scree
