#include "scree/app/run_command.hpp"

#include <fmt/format.h>

#include "scree/app/check_command.hpp"
#include "scree/app/observers.hpp"
#include "scree/app/progress.hpp"
#include "scree/app/run_config.hpp"
#include "scree/app/simulation.hpp"
#include "scree/app/step_records.hpp"
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

/// Tells of a solve that ended otherwise than asked, or that another method had to finish.
void tell(Progress& progress, const SolverReport& report, const RunConfig& config,
          std::int64_t step) {
  if (report.status != Status::converged) {
    progress.warning(fmt::format(
        "step {}: {} did not reach the residual {:.1e}: {}, residual {:.1e}, velocity error {:.1e} "
        "m/s; the step is taken",
        step, report.solver, config.solver.stop.tolerance, to_string(report.status),
        report.measures.residual, report.measures.velocity_error));
  }
  progress.detail(fmt::format("step {}: {}: {}", step, report.solver, report.reason));
}

void run_steps(Simulation& simulation, Observers& observers, Progress& progress) {
  const RunConfig& config = simulation.config();
  const std::int64_t n_steps = config.time.n_steps();
  observers.start(simulation);
  for (std::int64_t i = 1; i <= n_steps; ++i) {
    const StepResult& result = simulation.step();
    StepRecord record = step_record(simulation, result);
    record.seconds.output = observers.take_seconds();
    observers.after_step(simulation, result, record, i == n_steps);
    tell(progress, result.impact.report, config, i);
    progress.step(record);
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
  progress.message(summarise(comm, config));
  progress.message(fmt::format("writing to {}", folder.root().string()));
  Observers observers(simulation, folder, run_yaml);
  run_steps(simulation, observers, progress);
  progress.finish();
  return 0;
}

}  // namespace scree
