#include "app/run/schedule.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace scree {
namespace {

std::vector<int> steps_due(Schedule schedule, int first, int last, double dt) {
  std::vector<int> due;
  for (int step = first; step <= last; ++step) {
    if (schedule.due(step * dt, dt)) due.push_back(step);
  }
  return due;
}

TEST(Schedule, IsDueAtTheStepNearestToEachMultiple) {
  EXPECT_EQ(steps_due(Schedule(0.1, 0.0, 0.03), 1, 11, 0.03), (std::vector<int>{3, 7, 10}));
  EXPECT_EQ(steps_due(Schedule(0.0, 0.0, 0.03), 1, 11, 0.03), std::vector<int>{});
}

TEST(Schedule, GoesOnFromAnyStepAsIfItHadNotStopped) {
  const double dt = 0.03;
  const std::vector<int> all = steps_due(Schedule(0.1, 0.0, dt), 1, 100, dt);
  for (int stop = 1; stop < 100; ++stop) {
    std::vector<int> parts = steps_due(Schedule(0.1, 0.0, dt), 1, stop, dt);
    for (const int step : steps_due(Schedule(0.1, stop * dt, dt), stop + 1, 100, dt)) {
      parts.push_back(step);
    }
    EXPECT_EQ(parts, all) << "stopped after " << stop;
  }
}

TEST(Schedule, DoesNotSlipOverMillionsOfSteps) {
  Schedule schedule(0.1, 0.0, 1e-3);
  int count = 0;
  double time = 0.0;
  for (int step = 1; step <= 1'000'000; ++step) {
    time += 1e-3;  // with its rounding
    count += schedule.due(time, 1e-3);
  }
  EXPECT_EQ(count, 10'000);
}

}  // namespace
}  // namespace scree
