/// The command line (DESIGN, section 6). Exit status: 0 done; 1 failed while running, or not
/// converged; 2 the input is wrong, and nothing was written; 3 stopped by a signal or the limit of
/// wall-clock time, checkpoint written.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scree/app/commands/check_command.hpp"
#include "scree/app/commands/info_command.hpp"
#include "scree/app/commands/report_command.hpp"
#include "scree/app/commands/run_command.hpp"
#include "scree/app/commands/schema_command.hpp"
#include "scree/app/commands/solve_command.hpp"
#include "scree/app/run/stop_request.hpp"
#include "scree/base/instructions.hpp"
#include "scree/base/launch.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/runtime.hpp"
#include "scree/config/suggest.hpp"
#include "scree/io/version.hpp"
#include "scree/sweep/sweep_command.hpp"
#include "scree/sweep/sweep_config.hpp"

namespace {

constexpr int kFailed = 1;
constexpr int kWrongInput = 2;

/// The one command that has no ranks: it starts runs, which would take what MPI leaves in the
/// environment for theirs.
constexpr std::string_view kSweep = "sweep";

/// The command that the command line asks for: set by the subcommand that was named.
using Command = std::function<int(MPI_Comm)>;

/// A command whose result is what it prints has failed where that cannot be written.
Command printing(Command command) {
  return [command = std::move(command)](MPI_Comm comm) {
    const int status = command(comm);
    errno = 0;
    const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
    scree::fail_together(
        comm, lost ? fmt::format("the standard output cannot be written: {}", std::strerror(errno))
                   : std::string());
    return status;
  };
}

/// The option `--set`, which adds to @p overrides.
void add_set(CLI::App& app, scree::Overrides& overrides, const std::string& help) {
  app.add_option_function<std::vector<std::string>>(
         "--set",
         [&overrides](const std::vector<std::string>& set) {
           overrides.insert(overrides.end(), set.begin(), set.end());
         },
         help)
      ->allow_extra_args(false);
}

void add_run(CLI::App& app, Command& command) {
  auto arguments = std::make_shared<scree::RunArguments>();
  CLI::App* run = app.add_subcommand("run", "run a simulation");
  run->add_option("CONFIG", arguments->config, "configuration, YAML")->required();
  add_set(*run, arguments->overrides, "override a key, a.b.c=value; may stand again");
  run->add_option("--output", arguments->output, "folder of the run; default output/NAME");
  run->add_option("--restart", arguments->restart,
                  "go on from this checkpoint, or from the `latest` of the run's folder");
  run->add_option_function<std::string>(
      "--wall-limit",
      [arguments](const std::string& text) {
        arguments->wall_limit = scree::parse_wall_limit(text);
      },
      "stop with a checkpoint after this wall-clock time, seconds or hh:mm:ss");
  run->add_flag("--quiet", arguments->quiet, "nothing on the screen but errors");
  run->add_flag("--verbose", arguments->verbose, "a line for every step");
  run->callback([arguments, &command] {
    command = [arguments](MPI_Comm comm) { return scree::run_command(comm, *arguments); };
  });
}

/// Checks a configuration, or a sweep, which rank 0 looks at alone.
int check_either(MPI_Comm comm, const scree::CheckArguments& arguments) {
  const bool first = scree::rank_of(comm) == 0;
  const bool sweep =
      scree::max_over_ranks(comm, first && scree::is_sweep(arguments.config) ? 1 : 0) == 1;
  if (!sweep) return scree::check_command(comm, arguments);
  std::string problem;
  try {
    if (!arguments.overrides.empty())
      throw scree::InputError("--set: a sweep takes none; allowed: keys in its file");
    if (first) scree::check_sweep(arguments.config);
  } catch (const scree::InputError& error) {
    problem = error.what();
  }
  scree::refuse_together(comm, problem);
  return 0;
}

void add_check(CLI::App& app, Command& command) {
  auto arguments = std::make_shared<scree::CheckArguments>();
  CLI::App* check =
      app.add_subcommand("check", "validate a configuration or a sweep and say what it runs");
  check->add_option("CONFIG", arguments->config, "configuration or sweep, YAML")->required();
  add_set(*check, arguments->overrides, "override a key, a.b.c=value; may stand again");
  check->callback([arguments, &command] {
    command = printing([arguments](MPI_Comm comm) { return check_either(comm, *arguments); });
  });
}

/// An option that is short for `--set KEY=value`.
CLI::Option* add_key(CLI::App& app, scree::Overrides& overrides, const char* option,
                     const std::string& key, const std::string& help) {
  return app.add_option_function<std::string>(
      option,
      [&overrides, key](const std::string& value) { overrides.push_back(key + "=" + value); },
      help + "; is --set " + key + "=...");
}

void add_solve(CLI::App& app, Command& command) {
  auto arguments = std::make_shared<scree::SolveArguments>();
  scree::Overrides& keys = arguments->overrides;
  CLI::App* solve =
      app.add_subcommand("solve", "solve one contact problem of an FCLIB file, or an LCP");
  solve->add_option("PROBLEM", arguments->file, "FCLIB file, or one with the group lcp")
      ->required();
  add_key(*solve, keys, "--solver", "solver.method", "method; auto chooses");
  add_key(*solve, keys, "--tol", "solver.tolerance", "largest residual, relative")
      ->default_str(fmt::format("{}", scree::StopOptions().tolerance));
  add_key(*solve, keys, "--max-iterations", "solver.max_iterations",
          "of each method; 0: its own limit");
  add_key(*solve, keys, "--max-seconds", "solver.max_seconds", "for all; 0: none");
  CLI::Option* friction = add_key(*solve, keys, "--friction", "solver.friction",
                                  "coulomb (default), associated, box or pyramid");
  solve->add_flag_callback(
      "--no-fallback", [&keys] { keys.emplace_back("solver.on_not_converged=warn"); },
      "the named method alone; is --set solver.on_not_converged=warn");
  add_set(*solve, keys, "set a key, solver.KEY=value; may stand again");
  CLI::Option* replay =
      solve->add_flag("--replay", arguments->replay,
                      "take the keys and start from the impulses of the run that wrote the file");
  solve
      ->add_option_function<std::string>(
          "--directions",
          [&keys](const std::string& value) {
            keys.emplace_back("solver.friction=pyramid");
            keys.push_back("solver.directions=" + value);
          },
          "pyramids of so many directions in place of the cones; is --set solver.friction=pyramid "
          "--set solver.directions=...")
      ->excludes(replay)
      ->excludes(friction);
  solve->add_option("--report", arguments->report, "JSON report, with the history");
  solve->add_option("--output", arguments->output, "the problem with its solution");
  solve->add_flag("--quiet", arguments->quiet, "print nothing");
  solve->callback([arguments, &command] {
    command =
        printing([arguments](MPI_Comm comm) { return scree::solve_command(comm, *arguments); });
  });
}

void add_info(CLI::App& app, Command& command) {
  auto file = std::make_shared<std::filesystem::path>();
  CLI::App* info = app.add_subcommand("info", "say what a file of scree's holds");
  info->add_option("FILE", *file, "snapshot, checkpoint, problem or table")->required();
  info->callback([file, &command] {
    command = printing([file](MPI_Comm comm) { return scree::info_command(comm, *file); });
  });
}

void add_report(CLI::App& app, Command& command) {
  auto arguments = std::make_shared<scree::ReportArguments>();
  CLI::App* report = app.add_subcommand("report", "put a run or a sweep on one page, HTML");
  report->add_option("RUN", arguments->run, "folder of the run or the sweep")->required();
  report->add_option("--output", arguments->output, "the page; default RUN/report.html");
  report->callback([arguments, &command] {
    command = [arguments](MPI_Comm comm) { return scree::report_command(comm, *arguments); };
  });
}

void add_schema(CLI::App& app, Command& command) {
  auto markdown = std::make_shared<bool>(false);
  auto sweep = std::make_shared<bool>(false);
  CLI::App* schema = app.add_subcommand("schema", "print the JSON Schema of a configuration");
  schema->add_flag("--markdown", *markdown, "the table of keys instead");
  schema->add_flag("--sweep", *sweep, "of the file of a sweep");
  schema->callback([markdown, sweep, &command] {
    command = printing([markdown, sweep](MPI_Comm comm) {
      if (scree::rank_of(comm) != 0) return 0;
      return *sweep ? scree::sweep_schema_command(*markdown) : scree::schema_command(*markdown);
    });
  });
}

void add_sweep(CLI::App& app, Command& command) {
  auto arguments = std::make_shared<scree::SweepArguments>();
  CLI::App* sweep = app.add_subcommand(std::string(kSweep), "run the cases of a parameter study");
  sweep->add_option("SWEEP", arguments->sweep, "the study, YAML")->required();
  sweep->add_option("--output", arguments->output, "folder of the sweep; default output/NAME");
  sweep
      ->add_option("--jobs", arguments->jobs,
                   "cases at once; default: as many as there are cores for")
      ->check(CLI::Range(1, 100000));
  sweep->add_flag("--retry", arguments->retry, "run cases again that failed");
  sweep->add_flag("--collect", arguments->collect, "run nothing, make the table of what there is");
  sweep->add_flag("--slurm", arguments->slurm,
                  "write a batch script for Slurm in place of running");
  sweep->add_option("--case", arguments->only,
                    "run this case alone; with --slurm: as a task of the script");
  sweep->add_flag("--quiet", arguments->quiet, "nothing on the screen but errors");
  sweep->callback([arguments, &command] {
    command = [arguments](MPI_Comm) { return scree::sweep_command(*arguments); };
  });
}

/// CLI11 asks for a command, but does not name the word that is none.
void require_command(const CLI::App& app, std::string_view word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  if (std::ranges::find(known, word) != known.end()) return;
  throw scree::InputError(fmt::format("\"{}\" is no command; {}; see scree --help", word,
                                      scree::suggestion_and_list(word, known)));
}

/// @param comm of the program's ranks; null where it has none
int dispatch(MPI_Comm comm, int argc, char** argv) {
  CLI::App app{"scree: non-smooth contact dynamics of granular material", "scree"};
  app.set_version_flag("--version", std::string(scree::version()));
  app.require_subcommand(1);
  app.footer(
      "Exit status: 0 done; 1 failed while running (a step that did not converge, with "
      "solver.on_not_converged:\nabort), or `solve` did not converge; 2 the input is wrong, and "
      "nothing was written; 3 stopped by\na signal or --wall-limit, checkpoint written.");
  Command command;
  add_run(app, command);
  add_check(app, command);
  add_solve(app, command);
  add_info(app, command);
  add_report(app, command);
  add_schema(app, command);
  add_sweep(app, command);
  const bool speaks = comm == MPI_COMM_NULL || scree::rank_of(comm) == 0;
  if (argc < 2) {
    if (speaks) std::cerr << app.help();
    return kWrongInput;
  }
  const std::string_view first(argv[1]);
  if (!first.starts_with('-')) require_command(app, first);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {  // help, too, comes this way
    const int status = error.get_exit_code() == 0 ? 0 : kWrongInput;
    if (speaks) app.exit(error);
    return status;
  }
  return command(comm);
}

/// Without MPI.
int sweep(int argc, char** argv) {
  const auto fail = [](const std::exception& error, int status) {
    fmt::print(stderr, "{}{}\n", scree::names_a_place(error.what()) ? "" : "scree: ", error.what());
    return status;
  };
  try {
    return dispatch(MPI_COMM_NULL, argc, argv);
  } catch (const scree::InputError& error) {
    return fail(error, kWrongInput);
  } catch (const std::exception& error) {
    return fail(error, kFailed);
  }
}

/// Whether the words name a command that writes a run's files or a file of results: many at once
/// would spoil them. Others do the same however often they are started.
bool writes_files(int argc, char** argv) {
  const std::vector<std::string_view> words(argv, argv + argc);
  const auto has = [&words](std::string_view name) {
    return std::ranges::any_of(words,
                               [name](std::string_view word) { return word.starts_with(name); });
  };
  if (argc < 2 || has("--help")) return false;
  return words[1] == "run" || (words[1] == "solve" && (has("--output") || has("--report")));
}

/// Ends this process, which is one of many that should have been ranks: each of them finds that for
/// itself.
int refuse_launch(const std::string& fault) {
  if (scree::is_first_of_launch()) fmt::print(stderr, "scree: {}\n", fault);
  return kWrongInput;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && argv[1] == kSweep) return sweep(argc, argv);
  // Before MPI is started where that is known before: Open MPI ends a process that srun has left
  // alone.
  const bool one_alone = writes_files(argc, argv);
  if (one_alone && !scree::can_find_launcher()) {
    if (const std::string fault = scree::fault_of_launch(1); !fault.empty())
      return refuse_launch(fault);
  }
  const scree::Runtime runtime;
  if (const std::string fault =
          one_alone ? scree::fault_of_launch(scree::size_of(runtime.comm())) : std::string();
      !fault.empty())
    return refuse_launch(fault);
  try {
    scree::instructions();  // throws where the environment asks for what the processor lacks
    return dispatch(runtime.comm(), argc, argv);
  } catch (const scree::InputError& error) {
    return runtime.fail(error.what(), kWrongInput);
  } catch (const std::bad_alloc&) {
    return runtime.fail("out of memory: take more ranks on more machines, or fewer grains",
                        kFailed);
  } catch (const std::exception& error) {
    return runtime.fail(error.what(), kFailed);
  }
}
