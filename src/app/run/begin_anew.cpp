#include "begin_anew.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "app/run/observers/checkpoints.hpp"
#include "app/run/observers/tables.hpp"
#include "observer_list.hpp"
#include "scree/base/parallel.hpp"
#include "scree/config/compare.hpp"
#include "scree/config/csv_table.hpp"
#include "scree/config/reader.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// The run as the rows of steps.csv have it, for as far as they go.
struct Rows {
  std::int64_t last = 0;  ///< step of the last of them
  double seconds = 0.0;   ///< that the steps before it took at least
};

Rows rows_of(const RunFolder& folder, std::int64_t every) {
  if (!fs::exists(folder.steps()) || fs::file_size(folder.steps()) == 0) return {};
  const CsvTable table = read_csv_table(folder.steps());
  if (table.rows.empty()) return {};
  const std::vector<double> seconds = table.numbers("seconds_step");
  return {.last = static_cast<std::int64_t>(table.numbers("step").back()),
          .seconds = static_cast<double>(every) *
                     std::accumulate(seconds.begin(), seconds.end() - 1, 0.0)};
}

/// Where the folder stands is no matter.
bool is_same(const std::string& before, const std::string& after) {
  return std::ranges::all_of(differences(before, after), [](const Difference& change) {
    return change.key == "output.directory" || change.key == "output.overwrite";
  });
}

/// The part of the folder's run that would be lost; empty: no more than its start. A row may stand
/// before the checkpoint of its step does, hence the step before it counts.
std::string loss(const RunFolder& folder, const RunConfig& config, const std::string& run_yaml) {
  if (!is_same(read_text_file(folder.config()), run_yaml)) {
    return "run.yaml is of another configuration";
  }
  const CheckpointOptions& checkpoints = config.output.of<CheckpointOptions>();
  const CsvOptions& csv = config.output.of<CsvOptions>();
  const Rows rows = rows_of(folder, csv.every);
  const std::int64_t steps = std::max(rows.last, last_step_of_files(folder, files_of_observers));
  if (steps == 0) return {};
  if (steps >= config.time.n_steps()) return fmt::format("it is at its end, step {}", steps);
  // Files between the rows of a sparse table are explained by it; without the table nothing says
  // what they took.
  if (steps >= rows.last + csv.every) {
    return fmt::format("it has files of step {}, which steps.csv does not have", steps);
  }
  const bool by_time = checkpoints.every > 0.0;
  const bool by_wall = checkpoints.wall_every > 0.0;
  if (!by_time && !by_wall)
    return fmt::format("it has {} steps, and its configuration asks for no checkpoints", steps);
  const double before = static_cast<double>(steps - 1) * config.time.dt;
  if (by_time && before >= checkpoints.every - 0.5 * config.time.dt) {
    return fmt::format("it has {} steps, and had a checkpoint after {:g} s", steps,
                       checkpoints.every);
  }
  const double bound = by_wall ? checkpoints.wall_every : CheckpointOptions{}.wall_every;
  if (rows.seconds < bound) return {};
  return fmt::format("its {} steps took {:.0f} s of wall-clock time", steps, rows.seconds);
}

}  // namespace

bool may_begin_anew(MPI_Comm comm, const RunFolder& folder, const RunConfig& config,
                    const std::string& run_yaml) {
  std::string fault;
  bool is_beginning = false;
  if (rank_of(comm) == 0) {
    try {
      is_beginning = fs::exists(folder.config());
      if (is_beginning) fault = loss(folder, config, run_yaml);
    } catch (const std::exception& error) {
      fault = error.what();
    }
    if (!fault.empty()) {
      fault = fmt::format(
          "{}: holds a run already ({}), which has no checkpoint to go on from: {}; give another "
          "folder with --output DIR, or replace the run with --set output.overwrite=true",
          folder.root().string(), folder.config().filename().string(), fault);
    }
  }
  refuse_together(comm, fault);
  return max_over_ranks(comm, is_beginning ? 1 : 0) == 1;
}

}  // namespace scree
