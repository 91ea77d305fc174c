#include "solver/progress/pace.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace scree {
namespace {

/// The history of a residual and a velocity error of @p measure(k) after k = 1, .., @p iterations.
template <class Measure>
std::vector<HistoryPoint> history(std::int64_t iterations, const Measure& measure) {
  std::vector<HistoryPoint> result(static_cast<std::size_t>(iterations));
  for (std::int64_t k = 1; k <= iterations; ++k) {
    HistoryPoint& point = result[static_cast<std::size_t>(k - 1)];
    point.iteration = k;
    point.measures.residual = measure(static_cast<double>(k));
    point.measures.velocity_error = point.measures.residual;
  }
  return result;
}

MeasuredIterate last(const std::vector<HistoryPoint>& history) {
  MeasuredIterate result;
  result.measures = history.back().measures;
  return result;
}

double inverse(double k) {
  return 1.0 / k;
}

TEST(Pace, IsThatOfAPowerOfTheIterations) {
  const auto linear = history(100, inverse);
  EXPECT_NEAR(iterations_to_go(100, last(linear), linear, {.residual = 1e-3}), 900.0, 1e-9);
  const auto root = history(100, [](double k) { return 1.0 / std::sqrt(k); });
  EXPECT_NEAR(iterations_to_go(100, last(root), root, {.residual = 1e-2}), 9900.0, 1e-7);
}

TEST(Pace, IsThatOfTheVelocityErrorOnceTheResidualIsReached) {
  const auto linear = history(100, inverse);
  const Goal goal{.residual = 0.1, .velocity_error = 1e-3};
  EXPECT_NEAR(iterations_to_go(100, last(linear), linear, goal), 900.0, 1e-9);
}

TEST(Pace, IsNoneWhereTheLastThreeQuartersGaveNothing) {
  const auto still = history(100, [](double k) { return 1.0 / std::min(k, 25.0); });
  EXPECT_TRUE(std::isinf(iterations_to_go(100, last(still), still, {.residual = 1e-3})));
}

TEST(Pace, LeavesErrorsOfContactsToTheirOwnRule) {
  const auto linear = history(100, inverse);
  MeasuredIterate best = last(linear);
  const Goal goal{.residual = 0.1, .contact_error = 1e-3};
  EXPECT_TRUE(std::isinf(iterations_to_go(100, best, linear, goal)));
  best.contact_error = 1e-2;
  EXPECT_EQ(iterations_to_go(100, best, linear, goal), 0.0);
}

TEST(Pace, IsWeighedAgainstThePatienceAfterATenthOfIt) {
  const auto judge = [](std::int64_t iterations, std::int64_t patience) {
    const auto linear = history(iterations, inverse);
    const Stop stop{.goal = {.residual = 1e-3}, .patience = patience};
    return exceeds_patience(iterations, last(linear), linear, stop);
  };
  EXPECT_TRUE(judge(100, 899));
  EXPECT_FALSE(judge(100, 901));
  EXPECT_FALSE(judge(89, 899));  // 911 to go, but it is too early to say so
  EXPECT_FALSE(judge(100, 0));   // without end
}

}  // namespace
}  // namespace scree
