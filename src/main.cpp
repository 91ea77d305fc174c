/// The one executable. Exit status: 0 done, 1 failed or not converged, 2 the input is wrong.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <string>

#include "scree/app/solve_command.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/runtime.hpp"

namespace {

/// Declares `scree solve`; @p arguments is filled when it is chosen.
CLI::App* declare_solve(CLI::App& app, scree::SolveArguments& arguments) {
  CLI::App* solve = app.add_subcommand("solve", "solve one contact problem of an FCLIB file");
  solve->add_option("PROBLEM", arguments.file, "FCLIB file")->required();
  solve->add_option("--solver", arguments.options.method, "method; auto chooses");
  solve->add_option("--tol", arguments.options.stop.tolerance, "largest residual, relative")
      ->check(CLI::Range(1e-16, 1.0));
  solve->add_option("--max-iterations", arguments.options.stop.max_iterations,
                    "of each method; 0: its own limit");
  solve->add_option("--max-seconds", arguments.options.stop.max_seconds, "for all; 0: none");
  solve
      ->add_option_function<std::string>(
          "--friction",
          [&arguments](const std::string& law) {
            arguments.friction =
                law == "associated" ? scree::FrictionLaw::associated : scree::FrictionLaw::coulomb;
          },
          "coulomb (default) or associated")
      ->check(CLI::IsMember({"coulomb", "associated"}));
  solve->add_flag("--no-fallback{false}", arguments.options.fallback, "the named method alone");
  solve->add_option("--report", arguments.report, "JSON report, with the history");
  solve->add_option("--output", arguments.output, "the problem with its solution");
  solve->add_flag("--quiet", arguments.quiet, "print nothing");
  return solve;
}

int run(MPI_Comm comm, int argc, char** argv) {
  CLI::App app{"scree: non-smooth contact dynamics of granular material", "scree"};
  app.require_subcommand(1);
  scree::SolveArguments solve;
  declare_solve(app, solve);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (scree::rank_of(comm) != 0) return error.get_exit_code() == 0 ? 0 : 2;
    return app.exit(error) == 0 ? 0 : 2;
  }
  return scree::solve_command(comm, solve);
}

}  // namespace

int main(int argc, char** argv) {
  const scree::Runtime runtime;
  try {
    return run(runtime.comm(), argc, argv);
  } catch (const scree::InputError& error) {  // the same on every rank
    if (scree::rank_of(runtime.comm()) == 0) fmt::print(stderr, "scree: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    scree::abort_all(runtime.comm(), error.what(), 1);
  }
}
