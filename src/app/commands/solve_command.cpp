#include "scree/app/commands/solve_command.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <utility>

#include "scree/app/config/run_config.hpp"
#include "scree/base/parallel.hpp"
#include "scree/io/fclib/fclib.hpp"
#include "scree/solver/driver.hpp"
#include "solve_summary.hpp"
#include "solve_targets.hpp"

namespace scree {
namespace {

/// The default keys, or those of @p solve, with the changes of the command line. Collective.
RunSolverOptions solver_options(const FclibSolve& solve, const SolveArguments& arguments) {
  SolveConfig config;
  read_yaml(solve.keys, arguments.file, arguments.overrides, config);
  return config.solver;
}

/// The goal of the run's solve, or where none is known a bound on the errors of contacts in their
/// own units.
Goal goal_of(const SolverDriver& driver, const FclibSolve& solve) {
  Goal goal = driver.goal();
  if (solve.velocity_error > 0.0) {
    goal.velocity_error = solve.velocity_error;
  } else {
    goal.contact_error = std::sqrt(goal.residual);
  }
  return goal;
}

/// The residual of @p lambda for @p problem with exact friction in its cones, whatever law it was
/// solved by. Collective.
double residual_of_cones(ContactProblem problem, Vec lambda) {
  const ContactProblem exact = with_law(std::move(problem), FrictionLaw::coulomb);
  return Measurer(exact).measure(lambda).residual;
}

}  // namespace

int solve_command(MPI_Comm comm, const SolveArguments& arguments) {
  check_writable(comm, arguments);
  const FclibSolve solve =
      arguments.replay ? read_fclib_solve(comm, arguments.file) : FclibSolve{.keys = "{}"};
  const RunSolverOptions options = solver_options(solve, arguments);
  SolverDriver driver(options);
  const Goal goal = goal_of(driver, solve);
  const auto start = std::chrono::steady_clock::now();
  ContactProblem problem = read_fclib(comm, arguments.file, options.law());
  SolveSummary summary = summarise(problem, arguments, options.law());
  summary.reading = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const petsc::Vector lambda = arguments.replay ? read_fclib_guess(problem, arguments.file)
                                                : petsc::duplicate(problem.r.get());
  const std::clock_t processor_start = std::clock();
  const SolverReport report = driver.solve(problem, goal, lambda.get());
  summary.processor = static_cast<double>(std::clock() - processor_start) / CLOCKS_PER_SEC;
  if (!arguments.output.empty()) {
    write_fclib_solution(problem, lambda.get(), arguments.file, target_of(arguments.output));
  }
  if (summary.directions > 0) {
    summary.residual_of_cones = residual_of_cones(std::move(problem), lambda.get());
  }

  const bool reports = rank_of(comm) == 0;
  if (reports && !arguments.quiet) print_table(summary, report);
  if (reports && !arguments.report.empty()) {
    const nlohmann::ordered_json json = to_json(summary, report, options.stop.tolerance);
    write_report(arguments.report, json.dump(2) + "\n");
  }
  return report.status == Status::converged ? 0 : 1;
}

}  // namespace scree
