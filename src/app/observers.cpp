#include "scree/app/observers.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "scree/app/step_records.hpp"
#include "scree/base/parallel.hpp"
#include "scree/config/emit.hpp"
#include "scree/io/fclib.hpp"
#include "scree/io/snapshot.hpp"

namespace scree {
namespace {

template <class Named>
std::vector<std::string> names(const std::vector<Named>& list) {
  std::vector<std::string> result;
  for (const Named& item : list) result.push_back(item.name);
  return result;
}

/// Does on one rank what writes text, and lets all ranks fail when it cannot. Collective.
template <class Work>
void on_speaker(MPI_Comm comm, bool speaker, Work&& work) {
  std::string error;
  try {
    if (speaker) work();
  } catch (const std::exception& fault) {
    error = fault.what();
  }
  fail_together(comm, error);
}

}  // namespace

Observers::Observers(const Simulation& simulation, RunFolder folder, std::string run_yaml)
    : folder_(std::move(folder)),
      run_yaml_(std::move(run_yaml)),
      speaker_(rank_of(simulation.comm()) == 0),
      schedule_(simulation.config().output.snapshots, simulation.time()),
      xdmf_(folder_.xdmf()) {
  on_speaker(simulation.comm(), speaker_, [this] {
    steps_ = CsvWriter<StepRecord>(folder_.steps(), step_columns());
    tools_ = CsvWriter<ToolRecord>(folder_.tools(), tool_columns());
  });
}

void Observers::start(const Simulation& simulation) {
  if (schedule_.due_at_start()) write_snapshot(simulation);
}

void Observers::after_step(const Simulation& simulation, const StepResult& result,
                           const StepRecord& record, bool last) {
  const double start = MPI_Wtime();
  const RunConfig& config = simulation.config();
  if (last || result.step % config.output.csv.every == 0) {
    write_tables(simulation, result, record);
  }
  if (schedule_.due(result.time, config.time.dt, last)) write_snapshot(simulation);
  const std::int64_t every = config.debug.fclib.every;
  if (every > 0 && result.step % every == 0) write_problem(simulation);
  seconds_ += MPI_Wtime() - start;
}

double Observers::take_seconds() {
  return std::exchange(seconds_, 0.0);
}

void Observers::write_tables(const Simulation& simulation, const StepResult& result,
                             const StepRecord& record) {
  on_speaker(simulation.comm(), speaker_, [&] {
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
       .groups = names(config.bodies),
       .tools = names(config.tools)});
  on_speaker(simulation.comm(), speaker_, [&] { xdmf_.add(info); });
}

std::filesystem::path Observers::keep_unsolved(const Simulation& simulation) {
  const FclibDumpOptions& options = simulation.config().debug.fclib;
  if (n_unsolved_kept_ >= options.not_converged) return {};
  ++n_unsolved_kept_;
  return write_problem(simulation);
}

std::filesystem::path Observers::write_problem(const Simulation& simulation) {
  const StepResult& result = simulation.result();
  const std::filesystem::path file =
      folder_.problems() / fmt::format("step_{:08d}.hdf5", result.step);
  on_speaker(simulation.comm(), speaker_,
             [&file] { std::filesystem::create_directories(file.parent_path()); });
  FclibNotes notes{.title = fmt::format("{}, {}", simulation.config().name, result.problem.origin),
                   .configuration = run_yaml_,
                   .solver = emit_yaml(SolveConfig{simulation.config().solver}),
                   .body_ids = result.body_ids,
                   .guess = result.guess.get()};
  for (const Contact& contact : result.contacts) {
    notes.contact_ids.push_back(contact.key.id_a);
    notes.contact_ids.push_back(contact.key.id_b);
  }
  write_fclib(result.problem, file, notes);
  return file;
}

}  // namespace scree
