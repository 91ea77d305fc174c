#include "solver/progress/solve_clock.hpp"

#include <fmt/format.h>

#include <array>

#include "scree/base/check.hpp"

namespace scree {

double SolveClock::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

double SolveClock::processor_seconds() const {
  return static_cast<double>(std::clock() - processor_start_) / static_cast<double>(CLOCKS_PER_SEC);
}

double SolveClock::agreed_seconds(const Goal& goal) const {
  const bool unwanted = goal.give_up && goal.give_up();
  std::array<double, 2> values{seconds(), unwanted ? 1.0 : 0.0};
  SCREE_MPI(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE,
                          MPI_MAX, comm_));
  if (values[1] > 0.0)
    throw GivenUp(fmt::format("its solve was given up after {:.3g} s", values[0]));
  return values[0];
}

}  // namespace scree
