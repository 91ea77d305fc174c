#include "scree/problem/inverse_masses.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

Vec6 numbers(double first) {
  return Vec6::LinSpaced(first, first + 5.0);
}

Mat6 coupled() {
  Mat6 mass = numbers(7.0).asDiagonal();
  mass(3, 4) = mass(4, 3) = -0.5;
  return mass;
}

TEST(InverseMasses, ThoseThatAreDiagonalStaySixNumbers) {
  InverseMasses masses;
  masses.push_diagonal(numbers(1.0));
  masses.push_back(numbers(2.0).asDiagonal());
  EXPECT_TRUE(masses.are_diagonal());
  EXPECT_FALSE(masses.are_of_balls());
  ASSERT_EQ(masses.size(), 2U);
  EXPECT_EQ(masses.diagonal(1), numbers(2.0));
  EXPECT_EQ(masses[1], Mat6(numbers(2.0).asDiagonal()));
  EXPECT_EQ(masses.times(1, numbers(3.0)), numbers(2.0).cwiseProduct(numbers(3.0)));
}

TEST(InverseMasses, ThoseOfBallsStayTwoNumbersUntilOthersCome) {
  const auto ball = [](double linear, double angular) {
    Vec6 diagonal;
    diagonal << Vec3::Constant(linear), Vec3::Constant(angular);
    return diagonal;
  };
  InverseMasses masses;
  masses.push_diagonal(ball(1.0, 2.0));
  masses.push_back(ball(3.0, 0.0).asDiagonal());  // it cannot turn
  ASSERT_TRUE(masses.are_of_balls());
  ASSERT_EQ(masses.balls().size(), 2U);
  EXPECT_EQ(masses.balls()[1].linear, 3.0);
  EXPECT_EQ(masses.times(0, numbers(3.0)), ball(1.0, 2.0).cwiseProduct(numbers(3.0)));
  EXPECT_EQ(masses.absolute()[1], masses[1]);
  InverseMasses with_coupled = masses;
  masses.push_diagonal(numbers(1.0));
  EXPECT_FALSE(masses.are_of_balls());
  ASSERT_TRUE(masses.are_diagonal());
  ASSERT_EQ(masses.size(), 3U);
  EXPECT_EQ(masses.diagonal(0), ball(1.0, 2.0));
  EXPECT_EQ(masses.diagonal(1), ball(3.0, 0.0));
  EXPECT_EQ(masses.diagonal(2), numbers(1.0));
  with_coupled.push_back(coupled());
  EXPECT_FALSE(with_coupled.are_diagonal());
  ASSERT_EQ(with_coupled.size(), 3U);
  EXPECT_EQ(with_coupled[0], Mat6(ball(1.0, 2.0).asDiagonal()));
  EXPECT_EQ(with_coupled[2], coupled());
}

TEST(InverseMasses, OneThatIsNotLeavesTheOthersAsTheyAre) {
  InverseMasses masses;
  masses.push_diagonal(numbers(1.0));
  masses.push_back(coupled());
  masses.push_diagonal(numbers(2.0));
  EXPECT_FALSE(masses.are_diagonal());
  ASSERT_EQ(masses.size(), 3U);
  EXPECT_EQ(masses[0], Mat6(numbers(1.0).asDiagonal()));
  EXPECT_EQ(masses[1], coupled());
  EXPECT_EQ(masses[2], Mat6(numbers(2.0).asDiagonal()));
  EXPECT_EQ(masses.times(1, numbers(3.0)), coupled() * numbers(3.0));
  EXPECT_EQ(masses.absolute()[1], coupled().cwiseAbs());
}

}  // namespace
}  // namespace scree
