#include "solver/progress/iterate_measurer.hpp"

#include <gtest/gtest.h>

#include "support/lcps.hpp"

namespace scree {
namespace {

/// One contact with N = 1 and r = -1, of which lambda = 1 - e has the residual e, and the error
/// e / (2 - e) in its own units.
class OneContact : public testing::Test {
 protected:
  MeasuredIterate measure(double error, const Goal& goal) {
    const double x = 1.0 - error;
    to_vec({&x, 1}, lambda_.get());
    return measurer_.measure(lambda_.get(), nullptr, goal);
  }

  ContactProblem problem_ =
      test::Lcp{Eigen::MatrixXd::Identity(1, 1), Eigen::VectorXd::Constant(1, -1.0)}.build(
          MPI_COMM_SELF, "one contact");
  petsc::Vector lambda_ = petsc::duplicate(problem_.r.get());
  IterateMeasurer measurer_{problem_};
};

TEST_F(OneContact, IsSolvedByTheResidualWhereNothingElseIsBounded) {
  const Goal goal{.residual = 0.1};
  EXPECT_FALSE(measure(0.2, goal).solved);
  const MeasuredIterate found = measure(0.05, goal);
  EXPECT_TRUE(found.solved);
  EXPECT_NEAR(found.measures.residual, 0.05, 1e-12);
  EXPECT_EQ(found.contact_error, 0.0);
}

TEST_F(OneContact, HasItsOwnErrorLookedAtWhereAllElseHolds) {
  const Goal goal{.residual = 0.1, .contact_error = 1e-2};
  EXPECT_EQ(measure(0.2, goal).contact_error, 0.0);
  const MeasuredIterate missed = measure(0.05, goal);
  EXPECT_FALSE(missed.solved);
  EXPECT_NEAR(missed.contact_error, 0.05 / 1.95, 1e-12);
  const MeasuredIterate found = measure(0.01, goal);
  EXPECT_TRUE(found.solved);
  EXPECT_NEAR(found.contact_error, 0.01 / 1.99, 1e-12);
}

TEST_F(OneContact, IsMeasuredByTheVelocityThatIsGiven) {
  const Goal goal{.residual = 0.1};
  EXPECT_TRUE(measure(0.5, goal).afresh);
  const petsc::Vector u = petsc::duplicate(problem_.r.get());  // 0: that of the solution
  const MeasuredIterate told = measurer_.measure(lambda_.get(), u.get(), goal);
  EXPECT_FALSE(told.afresh);
  EXPECT_EQ(told.measures.residual, 0.0);
}

}  // namespace
}  // namespace scree
