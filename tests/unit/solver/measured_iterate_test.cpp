#include "solver/progress/measured_iterate.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "solver/progress/best_iterate.hpp"
#include "solver/progress/infeasibility.hpp"

namespace scree {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

MeasuredIterate measured(double residual, double velocity_error = 0.0) {
  MeasuredIterate result;
  result.measures.residual = residual;
  result.measures.velocity_error = velocity_error;
  return result;
}

MeasuredIterate with_contact_error(MeasuredIterate result, double error) {
  result.contact_error = error;
  return result;
}

const Goal kMeasuredGoal{.residual = 1e-2, .velocity_error = 1e-3, .contact_error = 1e-4};

TEST(MeasuredIterate, TheResidualIsBoundedFirstAndThenTheVelocityError) {
  EXPECT_EQ(next_bound(measured(0.1, 1.0).measures, kMeasuredGoal).measure, &Measures::residual);
  EXPECT_EQ(next_bound(measured(1e-2, 1.0).measures, kMeasuredGoal).measure,
            &Measures::velocity_error);
  EXPECT_EQ(next_bound(measured(1e-2, 1e-3).measures, kMeasuredGoal).measure, &Measures::residual);
}

TEST(MeasuredIterate, TheShortfallIsThatOfTheNextBound) {
  EXPECT_DOUBLE_EQ(shortfall(measured(0.1, 1.0), kMeasuredGoal), 10.0);
  EXPECT_DOUBLE_EQ(shortfall(measured(1e-3, 1.0), kMeasuredGoal), 1000.0);
  EXPECT_DOUBLE_EQ(shortfall(with_contact_error(measured(1e-3), 3e-4), kMeasuredGoal), 3.0);
  EXPECT_DOUBLE_EQ(shortfall(measured(5e-3), kMeasuredGoal), 0.5);
}

TEST(MeasuredIterate, NearerIsJudgedBoundByBound) {
  EXPECT_TRUE(is_nearer(measured(0.1, 9.0), measured(0.2, 0.0), kMeasuredGoal));
  // within the tolerance the velocity error decides, and within its bound the residual again
  EXPECT_TRUE(is_nearer(measured(9e-3, 0.1), measured(1e-3, 0.2), kMeasuredGoal));
  EXPECT_TRUE(is_nearer(measured(1e-3, 9e-4), measured(2e-3, 1e-4), kMeasuredGoal));
  EXPECT_FALSE(is_nearer(measured(0.1), measured(0.1), kMeasuredGoal));
  EXPECT_FALSE(is_nearer(measured(kNotANumber, kNotANumber), measured(0.1), kMeasuredGoal));
}

TEST(MeasuredIterate, ErrorsOfContactsDecideBetweenTwoThatMissNothingElse) {
  const MeasuredIterate near = with_contact_error(measured(9e-3), 2e-4);
  const MeasuredIterate far = with_contact_error(measured(1e-5), 3e-4);
  EXPECT_TRUE(is_nearer(near, far, kMeasuredGoal));
  EXPECT_FALSE(is_nearer(far, near, kMeasuredGoal));
  EXPECT_FALSE(is_nearer(measured(0.5), far, kMeasuredGoal));  // whose own were not looked at
}

class Best : public testing::Test {
 protected:
  Vec lambda(double value) {
    SCREE_PETSC(VecSet(vector_.get(), value));
    return vector_.get();
  }
  static double value(const BestIterate& best) { return petsc::ConstView(best.lambda())[0]; }

 private:
  petsc::Vector vector_ = petsc::make_vector(PETSC_COMM_SELF, 1);
};

TEST_F(Best, IsTheNearestAndKeepsItsImpulses) {
  BestIterate best(measured(0.5), lambda(1.0));
  lambda(7.0);
  EXPECT_EQ(value(best), 1.0);
  best.offer(measured(0.7), lambda(2.0), kMeasuredGoal);
  EXPECT_EQ(value(best), 1.0);
  best.offer(measured(0.3), lambda(3.0), kMeasuredGoal);
  EXPECT_EQ(value(best), 3.0);
  EXPECT_EQ(best.residual(), 0.3);
}

TEST_F(Best, IsTheOneThatIsSolvedThoughAnotherWasNearer) {
  BestIterate best(measured(1e-6), lambda(1.0));  // of which too much of the error remains
  MeasuredIterate found = measured(1e-3);
  found.solved = true;
  best.offer(found, lambda(2.0), kMeasuredGoal);
  EXPECT_EQ(value(best), 2.0);
  EXPECT_TRUE(best.iterate().solved);
}

TEST_F(Best, IsZeroWhereTheStartIsNotFinite) {
  const BestIterate best(measured(kNotANumber), lambda(kNotANumber));
  EXPECT_EQ(value(best), 0.0);
}

TEST(Infeasibility, AResidualHidesErrorsWhereItAloneIsSmall) {
  MeasuredIterate found = measured(1e-3);
  found.solved = true;
  EXPECT_FALSE(hides_error(found, kMeasuredGoal));
  EXPECT_FALSE(hides_error(measured(0.1), kMeasuredGoal));
  EXPECT_TRUE(hides_error(measured(1e-3), kMeasuredGoal));
}

TEST(Infeasibility, ImpulsesAreOfNoUseWhereHalfOfTheErrorRemains) {
  MeasuredIterate wedged = measured(1e-3, 0.25);
  wedged.measures.remaining = 0.5;
  EXPECT_TRUE(gains_nothing(wedged));
  EXPECT_EQ(hidden_error(wedged),
            "the residual, 0.001, is small beside large impulses: 50 % of the error without "
            "impulses remains, up to 0.25 m/s");
  wedged.measures.remaining = 0.49;
  EXPECT_FALSE(gains_nothing(wedged));
  EXPECT_EQ(hidden_error(with_contact_error(wedged, 0.02)),
            "the residual, 0.001, is small, but the error of one contact in its own units is 0.02");
}

}  // namespace
}  // namespace scree
