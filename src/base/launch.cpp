#include "scree/base/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace scree {
namespace {

struct Launcher {
  const char* size;  ///< variable with the number of processes that it has started together
  const char* rank;  ///< variable with the number of this one among them
  std::string_view name;
  std::string_view remedy;
};

constexpr std::string_view kSameMpi = "start it by the mpirun of the MPI that scree was built with";

/// The first that has set its variables has started this process: mpirun may have done so from
/// within a step of Slurm.
constexpr std::array<Launcher, 3> kLaunchers{{
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "an mpirun of Open MPI", kSameMpi},
    {"PMI_SIZE", "PMI_RANK", "a launcher with PMI", kSameMpi},
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun",
     "start it by `srun --mpi=pmix` (`srun --mpi=list` names what this Slurm has), or by mpirun; "
     "one rank: without srun, by `srun -n 1 --mpi=pmix`, or in a shell that srun has started by "
     "`env -u SLURM_STEP_NUM_TASKS scree ...`"},
}};

int number_in(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return 0;
  const std::string_view digits(text);
  int number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

const Launcher* launcher_of_this() {
  const auto* const found = std::ranges::find_if(
      kLaunchers, [](const Launcher& one) { return std::getenv(one.size) != nullptr; });
  return found == kLaunchers.end() ? nullptr : found;
}

}  // namespace

bool can_find_launcher() {
  constexpr std::array kNeeded{"PMIX_NAMESPACE", "PMI_FD", "PMI_PORT", "PMI_RANK", "ALPS_APP_PE"};
  return std::ranges::any_of(kNeeded,
                             [](const char* name) { return std::getenv(name) != nullptr; });
}

bool has_launcher() {
  return can_find_launcher() || launcher_of_this() != nullptr;
}

std::string fault_of_launch(int size) {
  const Launcher* launcher = launcher_of_this();
  if (size > 1 || launcher == nullptr) return {};
  const int started = number_in(launcher->size);
  if (started <= 1) return {};
  return fmt::format(
      "{} has started {} processes ({}), and MPI knows of one: each would run by itself and write "
      "the same files; {}",
      launcher->name, started, launcher->size, launcher->remedy);
}

bool is_first_of_launch() {
  const Launcher* launcher = launcher_of_this();
  return launcher == nullptr || number_in(launcher->rank) == 0;
}

}  // namespace scree
