#include "scree/app/solve_command.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <ctime>

#include "scree/app/run_config.hpp"
#include "scree/base/parallel.hpp"
#include "scree/io/fclib.hpp"
#include "scree/problem/friction_lcp.hpp"
#include "scree/solver/driver.hpp"
#include "solve_summary.hpp"
#include "solve_targets.hpp"

namespace scree {
namespace {

/// The default keys, or those that the file keeps, with the changes of the command line. Collective.
RunSolverOptions solver_options(MPI_Comm comm, const SolveArguments& arguments) {
  SolveConfig config;
  const std::string text = arguments.replay ? read_fclib_solver(comm, arguments.file) : "{}";
  read_yaml(text, arguments.file, arguments.overrides, config);
  return config.solver;
}

/// Solves the friction LCP of @p problem; @p lambda gets its impulses, @p summary their error among the
/// cones. Collective.
SolverReport solve_friction_lcp(const ContactProblem& problem, const SolveArguments& arguments,
                                SolverDriver& driver, Vec lambda, SolveSummary& summary) {
  const FrictionLcp friction(problem, arguments.directions);
  const petsc::Vector x = petsc::duplicate(friction.lcp().r.get());
  const SolverReport report = driver.solve(friction.lcp(), x.get());
  friction.to_contacts(x.get(), lambda);
  summary.directions = arguments.directions;
  summary.residual_of_cones = Measurer(problem).measure(lambda).residual;
  return report;
}

}  // namespace

int solve_command(MPI_Comm comm, const SolveArguments& arguments) {
  if (arguments.directions != 0 && (arguments.directions < 4 || arguments.directions % 2 != 0)) {
    throw InputError(
        fmt::format("--directions {}: a pyramid of friction has an even number of "
                    "directions, 4 at least",
                    arguments.directions));
  }
  check_writable(comm, arguments);
  const RunSolverOptions options = solver_options(comm, arguments);
  SolverDriver driver(options);
  driver.bound_contact_error(std::sqrt(options.stop.tolerance));
  const auto start = std::chrono::steady_clock::now();
  const ContactProblem problem = read_fclib(comm, arguments.file, options.friction);
  SolveSummary summary = summarise(problem, arguments, options.friction);
  summary.reading = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const petsc::Vector lambda = arguments.replay ? read_fclib_guess(problem, arguments.file)
                                                : petsc::duplicate(problem.r.get());
  const std::clock_t processor_start = std::clock();
  const SolverReport report =
      arguments.directions == 0
          ? driver.solve(problem, lambda.get())
          : solve_friction_lcp(problem, arguments, driver, lambda.get(), summary);
  summary.processor = static_cast<double>(std::clock() - processor_start) / CLOCKS_PER_SEC;

  const bool reports = rank_of(comm) == 0;
  if (reports && !arguments.quiet) print_table(summary, report);
  if (reports && !arguments.report.empty()) {
    const nlohmann::ordered_json json = to_json(summary, report, options.stop.tolerance);
    write_report(arguments.report, json.dump(2) + "\n");
  }
  if (!arguments.output.empty()) {
    write_fclib_solution(problem, lambda.get(), arguments.file, target_of(arguments.output));
  }
  return report.status == Status::converged ? 0 : 1;
}

}  // namespace scree
