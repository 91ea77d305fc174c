#include "scree/app/observers.hpp"

#include <fmt/format.h>

#include <utility>

#include "scree/app/step_records.hpp"
#include "scree/base/log_stage.hpp"
#include "scree/base/parallel.hpp"
#include "scree/config/emit.hpp"
#include "scree/io/cut_back.hpp"
#include "scree/io/fclib.hpp"
#include "scree/io/snapshot.hpp"
#include "scree/io/whole_file.hpp"

namespace scree {
namespace {

template <class Named>
std::vector<std::string> names(const std::vector<Named>& list) {
  std::vector<std::string> result;
  for (const Named& item : list) result.push_back(item.name);
  return result;
}

}  // namespace

Observers::Observers(const Simulation& simulation, RunFolder folder, const std::string& run_yaml,
                     bool goes_on)
    : folder_(std::move(folder)),
      run_yaml_(run_yaml),
      speaker_(rank_of(simulation.comm()) == 0),
      snapshots_(simulation.config().output.snapshots.every, simulation.time(),
                 simulation.config().time.dt),
      checkpoints_(simulation, folder_, run_yaml),
      xdmf_(folder_.xdmf()) {
  together(simulation.comm(), [&] {
    if (!speaker_) return;
    if (goes_on) xdmf_ = cut_back(folder_, simulation.n_steps());
    steps_ = CsvWriter<StepRecord>(folder_.steps(), step_columns(), goes_on);
    tools_ = CsvWriter<ToolRecord>(folder_.tools(), tool_columns(), goes_on);
  });
}

void Observers::start(const Simulation& simulation) {
  if (simulation.config().output.snapshots.start) write_snapshot(simulation);
}

void Observers::after_step(const Simulation& simulation, const StepResult& result,
                           const StepRecord& record, const StepEnd& end) {
  const LogStage stage(Stage::output);
  const double start = MPI_Wtime();
  const RunConfig& config = simulation.config();
  if (end.last || result.clock.step % config.output.csv.every == 0) {
    write_tables(simulation, result, record);
  }
  if (result.clock.ends_step()) {
    write_states(simulation, result, end);
  } else if (end.stop) {
    write_checkpoint(simulation, end.elapsed);
  }
  seconds_ += MPI_Wtime() - start;
}

void Observers::write_states(const Simulation& simulation, const StepResult& result,
                             const StepEnd& end) {
  const RunConfig& config = simulation.config();
  const bool snapshot_due = snapshots_.due(result.clock.end, config.time.dt);
  if (snapshot_due || (end.last && config.output.snapshots.end)) write_snapshot(simulation);
  const std::int64_t every = config.debug.fclib.every;
  if (every > 0 && result.clock.step % every == 0) write_problem(simulation);
  // The checkpoint last: what it continues stands in the files before it does.
  const bool checkpoint_due = checkpoints_.due(simulation, end.elapsed, end.last);
  if (checkpoint_due || end.stop) write_checkpoint(simulation, end.elapsed);
}

double Observers::take_seconds() {
  return std::exchange(seconds_, 0.0);
}

void Observers::write_tables(const Simulation& simulation, const StepResult& result,
                             const StepRecord& record) {
  together(simulation.comm(), [&] {
    if (!speaker_) return;
    steps_.write(record);
    for (const ToolRecord& tool : tool_records(simulation, result)) tools_.write(tool);
  });
}

void Observers::write_snapshot(const Simulation& simulation) {
  const RunConfig& config = simulation.config();
  const SnapshotInfo info = scree::write_snapshot(
      simulation.comm(), folder_.snapshot(simulation.n_steps()), simulation.store(),
      {.time = simulation.time(),
       .step = simulation.n_steps(),
       .dt = config.time.dt,
       .configuration = run_yaml_,
       .materials = names(config.materials),
       .groups = config.population_names(),
       .tools = names(config.tools),
       .cell = config.periodic.cell()});
  together(simulation.comm(), [&] {
    if (speaker_) xdmf_.add(info);
  });
}

void Observers::write_checkpoint(const Simulation& simulation, double elapsed) {
  together(simulation.comm(), [this] {
    steps_.flush_to_disk();
    tools_.flush_to_disk();
  });
  checkpoints_.write(simulation, elapsed);
}

std::filesystem::path Observers::keep_unsolved(const Simulation& simulation) {
  const FclibDumpOptions& options = simulation.config().debug.fclib;
  if (n_unsolved_kept_ >= options.not_converged) return {};
  ++n_unsolved_kept_;
  return write_problem(simulation);
}

std::filesystem::path Observers::write_problem(const Simulation& simulation) {
  const StepResult& result = simulation.result();
  const std::filesystem::path file = folder_.problem(result.clock.step);
  together(simulation.comm(), [this] {
    if (speaker_) std::filesystem::create_directories(folder_.problems());
  });
  FclibNotes notes{
      .title = fmt::format("{}, {}", simulation.config().name, result.posed.problem.origin),
      .configuration = run_yaml_,
      .solver = emit_yaml(SolveConfig{simulation.config().solver}),
      .body_ids = result.body_ids,
      .guess = result.guess.get()};
  for (const Contact& contact : result.contacts) {
    notes.contact_ids.push_back(contact.key.id_a);
    notes.contact_ids.push_back(contact.key.id_b);
  }
  write_fclib(result.posed.problem, file, notes);
  return file;
}

}  // namespace scree
