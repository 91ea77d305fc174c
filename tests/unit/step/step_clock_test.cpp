#include "scree/step/step_clock.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace scree::test {
namespace {

constexpr double kDt = 0.1;

TEST(StepClock, WholeStepsEndAtMultiplesOfDt) {
  StepCount done;
  for (std::int64_t n = 1; n <= 1000; ++n) {
    const StepClock clock = done.next(kDt);
    EXPECT_EQ(clock.step, n);
    EXPECT_EQ(clock.dt, kDt);
    EXPECT_EQ(clock.end, static_cast<double>(n) * kDt);
    EXPECT_TRUE(clock.begins_step() && clock.ends_step());
    done = StepCount::after(clock);
    EXPECT_EQ(done.time(kDt), clock.end);
  }
}

TEST(StepClock, HalvesTileTheStepWithoutAGap) {
  StepCount done{7, 0};
  std::vector<int> halvings;
  double end = done.time(kDt);
  do {
    StepClock clock = done.next(kDt);
    // The first half is cut three times, and the second quarter once.
    if (clock.begins_step()) {
      for (int k = 0; k < 3; ++k) clock = first_half(clock, kDt);
    } else if (halvings.size() == 2) {
      clock = first_half(clock, kDt);
    }
    EXPECT_EQ(clock.step, 8);
    EXPECT_EQ(clock.time, end);
    end = clock.end;
    halvings.push_back(clock.halvings());
    done = StepCount::after(clock);
  } while (done.parts != 0);
  EXPECT_EQ(halvings, (std::vector{3, 3, 3, 3, 1}));
  EXPECT_EQ(end, 8 * kDt);
  EXPECT_EQ(done.steps, 8);
}

TEST(StepClock, ABlockIsTheLongestThatIsShortEnough) {
  const auto length = [](double longest, double shortest) {
    return within(StepCount{}.next(1.0), 1.0, {.longest = longest, .shortest = shortest}).dt;
  };
  EXPECT_EQ(length(2.0, 0.1), 1.0);
  EXPECT_EQ(length(1.0, 0.1), 1.0);
  EXPECT_EQ(length(0.999, 0.1), 0.5);
  EXPECT_EQ(length(0.26, 0.1), 0.25);
  EXPECT_EQ(length(1e-9, 0.1), 0.125) << "the half of it would be too short";
  EXPECT_EQ(length(1e-9, 0.125), 0.125);
  EXPECT_EQ(length(1e-9, 1.0), 1.0);
  EXPECT_EQ(length(0.0, 0.0), std::ldexp(1.0, -StepClock::kMostHalvings));
}

}  // namespace
}  // namespace scree::test
