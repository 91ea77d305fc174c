#include "scree/base/stage_clock.hpp"

#include <array>

#include "scree/base/check.hpp"

namespace scree {

StageSeconds StageClock::slowest(MPI_Comm comm) const {
  constexpr std::array kStages{&StageSeconds::domain,   &StageSeconds::contacts,
                               &StageSeconds::assemble, &StageSeconds::solve,
                               &StageSeconds::advance,  &StageSeconds::output,
                               &StageSeconds::step};
  std::array<double, kStages.size()> values{};
  for (std::size_t i = 0; i < kStages.size(); ++i) values[i] = seconds_.*kStages[i];
  SCREE_MPI(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE,
                          MPI_MAX, comm));
  StageSeconds result;
  for (std::size_t i = 0; i < kStages.size(); ++i) result.*kStages[i] = values[i];
  return result;
}

}  // namespace scree
