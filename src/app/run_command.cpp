#include "scree/app/run_command.hpp"

#include <fmt/format.h>

#include "scree/app/check_command.hpp"
#include "scree/app/observers.hpp"
#include "scree/app/overlap.hpp"
#include "scree/app/progress.hpp"
#include "scree/app/run_config.hpp"
#include "scree/app/simulation.hpp"
#include "scree/app/step_records.hpp"
#include "scree/base/parallel.hpp"
#include "scree/config/emit.hpp"
#include "scree/io/run_folder.hpp"

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

/// Contacts of the first step show how the bodies were placed.
void warn_of_overlap(Progress& progress, double penetration) {
  if (penetration <= kNotableOverlap) return;
  progress.warning(
      fmt::format("bodies overlap at the start, by up to {:.1f} % of a radius: they are pushed "
                  "apart at the speed contact.recovery_speed; `scree check` names the deepest pair",
                  100.0 * penetration));
}

/// Where the problem of a step is that was refused or not solved, and what to do with it; empty when none
/// was written. Collective.
std::string kept_problem(const Simulation& simulation, Observers& observers) {
  try {
    const std::filesystem::path file = observers.keep_unsolved(simulation);
    if (file.empty()) return {};
    return fmt::format("its contact problem: scree solve {} --replay", file.string());
  } catch (const Failure& failure) {
    return fmt::format("its contact problem could not be written: {}", failure.what());
  }
}

/// The step, or the reason why it was not taken with the place of its problem. Collective.
const StepResult& step(Simulation& simulation, Observers& observers) {
  try {
    return simulation.step();
  } catch (const StepRefused& refused) {
    const std::string kept = kept_problem(simulation, observers);
    throw Failure(refused.what() + (kept.empty() ? kept : "; " + kept));
  }
}

void run_steps(Simulation& simulation, Observers& observers, Progress& progress) {
  const RunConfig& config = simulation.config();
  const std::int64_t n_steps = config.time.n_steps();
  observers.start(simulation);
  for (std::int64_t i = 1; i <= n_steps; ++i) {
    const StepResult& result = step(simulation, observers);
    StepRecord record = step_record(simulation, result);
    record.seconds.output = max_over_ranks(simulation.comm(), observers.take_seconds());
    if (i == 1) warn_of_overlap(progress, record.penetration);
    std::string kept;
    observers.after_step(simulation, result, record, i == n_steps);
    if (result.impact.report.status != Status::converged) {
      progress.detail(fmt::format("step {}: {}", i, result.impact.report.reason));
      kept = kept_problem(simulation, observers);
    }
    progress.step(record);
    if (!kept.empty()) progress.unconverged(fmt::format("step {}: {}", i, kept));
  }
}

}  // namespace

int run_command(MPI_Comm comm, const RunArguments& arguments) {
  const RunConfig config = configuration(comm, arguments);
  Simulation simulation(comm, config);
  const std::string run_yaml = emit_yaml(config);
  const RunFolder folder =
      RunFolder::create(comm, run_directory(config.output, config.name, arguments.config), run_yaml,
                        config.output.overwrite);
  Progress progress(comm, folder.log(), verbosity(arguments), config.output.log_interval,
                    simulation.time(), config.time.end);
  if (config.solver.on_not_converged == NotConverged::proceed) progress.accept_unconverged();
  progress.message(summarise(comm, config));
  progress.message(fmt::format("writing to {}", folder.root().string()));
  Observers observers(simulation, folder, run_yaml);
  try {
    run_steps(simulation, observers, progress);
  } catch (const std::exception& error) {
    progress.failure(error.what());
    throw;
  }
  progress.finish();
  return 0;
}

}  // namespace scree
