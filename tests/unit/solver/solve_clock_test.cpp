#include "solver/progress/solve_clock.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

TEST(SolveClock, CountsFromItsBeginning) {
  const std::clock_t start = std::clock();
  const SolveClock clock(MPI_COMM_SELF);
  while (std::clock() - start < CLOCKS_PER_SEC / 50) {
  }
  const double before = clock.seconds();
  const double agreed = clock.agreed_seconds({});
  EXPECT_LE(before, agreed);
  EXPECT_LE(agreed, clock.seconds());
  const double spent = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_NEAR(clock.processor_seconds(), spent, 0.005);
}

TEST(SolveClock, AsksOnceAtEachLookWhetherTheSolveIsGivenUp) {
  const SolveClock clock(MPI_COMM_SELF);
  int asked = 0;
  const Goal goal{.give_up = [&] { return ++asked == 2; }};
  EXPECT_NO_THROW(static_cast<void>(clock.agreed_seconds(goal)));
  EXPECT_THROW(static_cast<void>(clock.agreed_seconds(goal)), GivenUp);
  EXPECT_EQ(asked, 2);
}

}  // namespace
}  // namespace scree
