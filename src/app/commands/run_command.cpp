#include "scree/app/commands/run_command.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "app/run/begin_anew.hpp"
#include "app/run/observer_list.hpp"
#include "app/run/observers.hpp"
#include "app/run/observers/progress_lines.hpp"
#include "app/run/restart.hpp"
#include "app/run/run_events.hpp"
#include "app/run/simulation.hpp"
#include "app/run/step_records.hpp"
#include "scree/app/commands/check_command.hpp"
#include "scree/app/config/run_config.hpp"
#include "scree/app/run/progress.hpp"
#include "scree/app/run/stop_request.hpp"
#include "scree/base/parallel.hpp"
#include "scree/config/emit.hpp"
#include "scree/io/run_folder/run_folder.hpp"
#include "scree/io/run_folder/run_lock.hpp"

namespace scree {
namespace {

/// The configuration with what the command line says of it.
RunConfig configuration(MPI_Comm comm, const RunArguments& arguments) {
  RunConfig config = load_run_config(comm, arguments.config, arguments.overrides);
  if (!arguments.output.empty()) {
    config.output.directory = std::filesystem::absolute(arguments.output).string();
  }
  return config;
}

Verbosity verbosity(const RunArguments& arguments) {
  if (arguments.quiet) return Verbosity::quiet;
  return arguments.verbose ? Verbosity::verbose : Verbosity::normal;
}

/// The step, or the reason why it was not taken with what observers have to tell of it. Collective.
/// @throws GivenUp.
const StepResult& step(Simulation& simulation, Observers& observers, const GiveUp& give_up) {
  try {
    return simulation.step(give_up);
  } catch (const StepRefused& refused) {
    std::string told;
    try {
      told = observers.after_refusal();
    } catch (const std::exception& error) {
      told = error.what();
    }
    throw Failure(refused.what() + (told.empty() ? told : "; " + told));
  }
}

/// The folder to write to, and whether it holds the run until the checkpoint.
struct Target {
  RunFolder folder;
  bool goes_on = false;
};

/// A checkpoint in the folder's own checkpoints continues the run there; one from elsewhere begins
/// a folder of its own. Collective.
Target target_of_run(const Simulation& simulation, const RunFolder& folder, const Restart& restart,
                     bool overwrite, const std::string& run_yaml) {
  MPI_Comm comm = simulation.comm();
  std::error_code absent;
  const bool own =
      !restart.file.empty() &&
      std::filesystem::equivalent(restart.file.parent_path(), folder.checkpoints(), absent);
  if (max_over_ranks(comm, own ? 1 : 0) == 1) {
    refuse_damaged_files(comm, folder, simulation.config(), point_of(simulation));
    return {RunFolder::take_up(comm, folder.root(), run_yaml, files_of_observers), true};
  }
  return {RunFolder::create(comm, folder.root(), run_yaml, overwrite, files_of_observers), false};
}

/// Reports what a restarted run begins from.
void report_restart(Progress& progress, const Simulation& simulation, const Restart& restart) {
  for (const std::string& refused : restart.refused) {
    progress.warning(fmt::format("{}; not used", refused));
  }
  if (restart.file.empty()) {
    progress.warning("there is no checkpoint to go on from: the run begins anew");
    return;
  }
  progress.message(fmt::format("going on from {}: step {}, {:.6g} s", restart.file.string(),
                               simulation.n_steps(), simulation.time()));
  for (const std::string& change : restart.changes) {
    progress.message(fmt::format("changed: {}", change));
  }
  const std::vector<StageSpec>& stages = simulation.config().stages;
  if (simulation.n_steps() >= simulation.config().time.n_steps()) {
    progress.message("nothing is left to do until time.end; a later one makes the run longer");
  } else if (simulation.is_at_end()) {
    progress.message(
        "nothing is left to do: the last stage has ended; another makes the run longer");
  } else if (!stages.empty()) {
    progress.message(fmt::format("in stage {} of {} ({})", simulation.stage(), stages.size(),
                                 stages[static_cast<std::size_t>(simulation.stage()) - 1].name));
  }
}

/// Energies and powers beyond what a number can hold come from properties that cannot be. The same
/// on every rank.
void refuse_endless_energies(const StepRecord& record) {
  for (const auto& [name, value] : {std::pair{"kinetic energy", record.kinetic_energy},
                                    std::pair{"potential energy", record.potential_energy},
                                    std::pair{"power of the forces", record.field_power},
                                    std::pair{"power of the drag", record.drag_power}}) {
    if (std::isfinite(value)) continue;
    throw Failure(
        fmt::format("step {} at {:.6g} s: the {} is {}: a density, a viscosity, a force, gravity "
                    "or a place is too large to compute with",
                    record.step, record.time, name, value));
  }
}

/// Has events come that the end of the step brings, and tells of them. Collective.
void pass_events(Simulation& simulation, const StepRecord& record, Progress& progress) {
  if (!simulation.result().clock.ends_step()) return;
  const std::vector<ToolRecord> tools = tool_records(simulation, simulation.result());
  for (const std::string& line : simulation.pass_events(situation_of(record, tools))) {
    progress.message(line);
  }
}

/// Steps until the end, or until the run is to stop after one. Returns why it stopped; empty at the
/// end. Collective.
/// @throws GivenUp, on every rank, where it is to stop amid a step.
std::string take_steps(Simulation& simulation, Observers& observers, Progress& progress,
                       const StopRequest& stop_request, const GiveUp& give_up) {
  while (!simulation.is_at_end()) {
    const StepResult& result = step(simulation, observers, give_up);
    StepRecord record = step_record(simulation, result);
    refuse_endless_energies(record);
    pass_events(simulation, record, progress);
    const Moment moment = stop_request.agree(simulation.comm(), observers.take_seconds());
    record.seconds.output = moment.output;
    const bool last = simulation.is_at_end();
    const std::string reason = last ? std::string() : stop_request.reason(moment);
    observers.after_step({.result = result,
                          .record = record,
                          .last = last,
                          .stop = !reason.empty(),
                          .elapsed = moment.elapsed});
    if (!reason.empty()) return reason;
  }
  return {};
}

/// Steps until the end, or until the run is to stop: at once, in that the step at hand is given up.
/// A limit that is over before the first step leaves that one alone: a chain of jobs would never
/// get further. Returns why it stopped; empty at the end. Collective.
std::string run_steps(Simulation& simulation, Observers& observers, Progress& progress,
                      const StopRequest& stop_request) {
  const bool late = !stop_request.reason(stop_request.agree(simulation.comm(), 0.0)).empty();
  const GiveUp give_up = [&stop_request, late] {
    return late ? stop_request.has_signal() : stop_request.is_due();
  };
  try {
    return take_steps(simulation, observers, progress, stop_request, give_up);
  } catch (const GivenUp& given_up) {
    progress.message(
        fmt::format("step {} was not taken: {}", simulation.n_steps() + 1, given_up.what()));
    const Moment moment = stop_request.agree(simulation.comm(), 0.0);
    observers.after_giving_up(moment.elapsed);
    return stop_request.reason(moment);
  }
}

/// Names the stages and events that the run, at its end, has not come to.
void warn_of_missing_events(const Simulation& simulation, Progress& progress) {
  for (const std::string& line : events_that_never_came(
           simulation.state(), simulation.config().stages, simulation.tools_at_hand())) {
    progress.warning(line);
  }
}

}  // namespace

int run_command(MPI_Comm comm, const RunArguments& arguments) {
  constexpr int kDone = 0;
  constexpr int kStopped = 3;
  const double start = MPI_Wtime();
  const RunConfig config = configuration(comm, arguments);
  const RunFolder root(run_directory(config.output.directory, config.name, arguments.config));
  const RunLock lock(comm, root, files_of_observers);
  const std::string run_yaml = emit_yaml(config);
  const bool restarts = !arguments.restart.empty();
  Restart restart = restarts ? find_restart(comm, arguments.restart, root, run_yaml) : Restart{};
  Simulation simulation =
      restart.file.empty() ? Simulation(comm, config) : Simulation(comm, config, restart.state);
  refuse_unfit_bodies(simulation);
  restart.state = {};
  const bool overwrite = config.output.overwrite || (restarts && restart.file.empty() &&
                                                     may_begin_anew(comm, root, config, run_yaml));
  const auto [folder, goes_on] = target_of_run(simulation, root, restart, overwrite, run_yaml);
  // Until here, a signal ends the program at once: there is nothing to keep.
  const StopRequest stop_request(arguments.wall_limit, start);
  Progress progress(comm, folder.log(), verbosity(arguments),
                    config.output.of<ProgressOptions>().log_interval,
                    PaceMeter(simulation.time(), config.time.end, simulation.n_steps()), goes_on);
  if (!lock.warning().empty()) progress.warning(lock.warning());
  if (simulation.setup().on_not_converged == NotConverged::proceed) progress.accept_unconverged();
  if (restarts) report_restart(progress, simulation, restart);
  if (restart.file.empty()) progress.message(summarise(comm, config));
  progress.message(fmt::format("writing to {}", folder.root().string()));
  Observers observers({.simulation = simulation,
                       .folder = folder,
                       .run_yaml = run_yaml,
                       .progress = progress,
                       .changed_keys = restart.changed_keys});
  std::string reason;
  try {
    observers.start(goes_on);
    reason = run_steps(simulation, observers, progress, stop_request);
    if (reason.empty()) warn_of_missing_events(simulation, progress);
    observers.finish();
  } catch (const InputError& error) {
    progress.failure(error.what());
    throw Failure(error.what());  // files have been written
  } catch (const std::exception& error) {
    progress.failure(error.what());
    throw;
  }
  if (reason.empty()) return kDone;
  progress.message(fmt::format("stopped by {} at {:.6g} s; checkpoint {}; --restart latest goes on",
                               reason, simulation.time(),
                               folder.checkpoint_files().of(simulation.n_steps()).string()));
  return kStopped;
}

}  // namespace scree
