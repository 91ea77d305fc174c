#include "solver/progress/stagnation.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree {
namespace {

const Goal kGoal{.residual = 1e-2, .velocity_error = 1e-3, .contact_error = 1e-4};

MeasuredIterate iterate(double residual, double velocity_error = 0.0) {
  MeasuredIterate result;
  result.measures.residual = residual;
  result.measures.velocity_error = velocity_error;
  return result;
}

/// The first of 2000 iterations at which @p rule stops the iterates that @p of gives; 0: none.
template <class Of>
std::int64_t stopped(IdleRule rule, const Of& of) {
  for (std::int64_t k = 1; k <= 2000; ++k) {
    const MeasuredIterate present = of(static_cast<double>(k));
    if (!rule.judge(k, present, present, kGoal).empty()) return k;
  }
  return 0;
}

TEST(IdleRule, StopsASmallResidualThatLeavesTheErrorAsItIs) {
  const auto still = [](double) { return iterate(1e-3); };
  EXPECT_EQ(stopped(IdleRule(1000), still), 101);   // 100 at least after the first
  EXPECT_EQ(stopped(IdleRule(10000), still), 501);  // a twentieth of those allowed
}

TEST(IdleRule, LetsAResidualAboveItsToleranceBe) {
  EXPECT_EQ(stopped(IdleRule(1000), [](double) { return iterate(2e-2); }), 0);
}

TEST(IdleRule, CountsWhatFallsByMoreThanATrifle) {
  const auto falling = [](double share) {
    return [share](double k) {
      MeasuredIterate result = iterate(1e-3);
      result.measures.remaining = std::pow(1.0 - share, k);
      return result;
    };
  };
  EXPECT_EQ(stopped(IdleRule(1000), falling(1e-3)), 0);
  EXPECT_EQ(stopped(IdleRule(1000), falling(1e-4)), 101);
}

TEST(IdleRule, CountsAVelocityErrorAsLongAsItIsMissed) {
  const auto falling = [](double from) {
    return [from](double k) { return iterate(1e-3, from * std::pow(0.99, k)); };
  };
  EXPECT_GT(stopped(IdleRule(1000), falling(0.1)), 500);  // within its bound after 459
  EXPECT_EQ(stopped(IdleRule(1000), falling(1e-3)), 101);
}

TEST(IdleRule, CountsErrorsOfContactsAndNamesThem) {
  const auto falling = [](double share) {
    return [share](double k) {
      MeasuredIterate result = iterate(1e-3);
      result.contact_error = std::pow(1.0 - share, k);
      return result;
    };
  };
  EXPECT_EQ(stopped(IdleRule(1000), falling(1e-3)), 0);
  EXPECT_EQ(stopped(IdleRule(1000), falling(1e-4)), 101);
  IdleRule rule(1000);
  const MeasuredIterate first = falling(0.0)(1.0);
  EXPECT_EQ(rule.judge(1, first, first, kGoal), "");
  EXPECT_EQ(rule.judge(101, first, first, kGoal), "no contact's own error falls in 100 iterations");
}

TEST(WindowRule, StopsWhatIsNoNearerAtTheEndOfAWindow) {
  WindowRule rule(1000, iterate(0.1));
  EXPECT_EQ(rule.judge(299, iterate(0.1), kGoal), "");
  EXPECT_EQ(rule.judge(300, iterate(0.0985), kGoal),
            "no progress below residual 0.0985 in 300 iterations");
  WindowRule short_one(100, iterate(0.1));
  EXPECT_EQ(short_one.judge(99, iterate(0.1), kGoal), "");
  EXPECT_NE(short_one.judge(100, iterate(0.1), kGoal), "");
}

TEST(WindowRule, ComparesWithTheBeginningOfEachWindow) {
  WindowRule rule(1000, iterate(0.1));
  EXPECT_EQ(rule.judge(300, iterate(0.05), kGoal), "");
  EXPECT_EQ(rule.judge(599, iterate(0.05), kGoal), "");
  EXPECT_NE(rule.judge(600, iterate(0.05), kGoal), "");
}

TEST(WindowRule, GivesANewBoundAWindowOfItsOwn) {
  WindowRule rule(1000, iterate(0.1, 0.5));
  EXPECT_EQ(rule.judge(300, iterate(1e-3, 0.5), kGoal), "");
  EXPECT_EQ(rule.judge(600, iterate(1e-3, 0.5), kGoal),
            "no progress below velocity error 0.5 m/s in 300 iterations");
}

TEST(WindowRule, LeavesErrorsOfContactsToIdleRule) {
  WindowRule rule(1000, iterate(1e-3));
  EXPECT_EQ(rule.judge(300, iterate(1e-3), kGoal), "");
}

}  // namespace
}  // namespace scree
