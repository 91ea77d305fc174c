#include "scree/app/solve_command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include "scree/app/run_config.hpp"
#include "scree/base/parallel.hpp"
#include "scree/io/fclib.hpp"
#include "scree/io/whole_file.hpp"
#include "scree/problem/friction_lcp.hpp"
#include "scree/solver/driver.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// What of a problem the table and the report name.
struct Summary {
  std::string file;
  std::string form;
  std::int64_t contacts = 0;
  std::int64_t rows = 0;
  std::int64_t dofs = 0;
  bool symmetric = true;
  std::string_view friction;
  std::map<std::string_view, std::int64_t> cones;  ///< of each type that there is
  bool replay = false;
  int ranks = 1;
  int directions = 0;              ///< of the friction LCP; 0: cones
  double residual_of_cones = 0.0;  ///< of the friction LCP's impulses
  double reading = 0.0;            ///< s
  double processor = 0.0;          ///< s, of this process alone in all methods of the solve
};

/// The cones of each type that there is, on all ranks. Collective.
std::map<std::string_view, std::int64_t> count_cones(const ContactProblem& problem) {
  std::vector<double> counts(cones::kTypes, 0.0);
  for (const ConeBatch& batch : problem.cones.batches) {
    counts[static_cast<std::size_t>(batch.type)] += batch.count;
  }
  sum_over_ranks(problem.comm, counts);
  std::map<std::string_view, std::int64_t> found;
  for (std::size_t type = 0; type < counts.size(); ++type) {
    if (counts[type] > 0.0) {
      found.emplace(cones::kNames[type], static_cast<std::int64_t>(counts[type]));
    }
  }
  return found;
}

Summary summarise(const ContactProblem& problem, const SolveArguments& arguments,
                  FrictionLaw friction) {
  Summary s;
  s.file = arguments.file.string();
  s.form = problem.delassus.is_product() ? "J M^-1 J^T" : "W";
  s.contacts = problem.n_cones_global();
  s.rows = sum_over_ranks(problem.comm, static_cast<std::int64_t>(problem.cones.rows()));
  if (problem.v_free) {
    PetscInt n = 0;
    SCREE_PETSC(VecGetSize(problem.v_free.get(), &n));
    s.dofs = n;
  }
  s.symmetric = problem.delassus.symmetric;
  s.friction = to_string(friction);
  s.cones = count_cones(problem);
  s.replay = arguments.replay;
  s.ranks = size_of(problem.comm);
  return s;
}

void print_table(const Summary& s, const SolverReport& r) {
  const auto line = [](std::string_view name, const std::string& value) {
    fmt::print("{:<16} {}\n", name, value);
  };
  line("problem", s.file);
  line("contacts", fmt::format("{} ({} rows, {} degrees of freedom)", s.contacts, s.rows, s.dofs));
  line("operator", fmt::format("{}, {}", s.form, s.symmetric ? "symmetric" : "not symmetric"));
  line("friction", std::string(s.friction));
  if (s.cones.size() > 1) {
    std::vector<std::string> parts;
    for (const auto& [name, count] : s.cones) parts.push_back(fmt::format("{} {}", count, name));
    line("cones", fmt::format("{}", fmt::join(parts, ", ")));
  }
  if (s.directions > 0) {
    line("friction LCP", fmt::format("{} directions; residual among the cones {:.3e}", s.directions,
                                     s.residual_of_cones));
  }
  line("start", s.replay ? "as in the run" : "zero");
  line("solver", r.solver);
  line("status", std::string(to_string(r.status)));
  line("reason", r.reason);
  line("iterations", r.inner_iterations > 0
                         ? fmt::format("{} ({} inner)", r.iterations, r.inner_iterations)
                         : fmt::format("{}", r.iterations));
  line("residual", fmt::format("{:.3e}", r.measures.residual));
  line("velocity_error", fmt::format("{:.3e} m/s", r.measures.velocity_error));
  line("dilation", fmt::format("{:.3e} m/s", r.measures.dilation));
  line("cost", fmt::format("{:.3e} J", r.measures.cost));
  line("feasibility", fmt::format("{:.3e}", r.measures.feasibility));
  line("seconds", fmt::format("{:.3f} (and {:.3f} reading, on {} rank{})", r.seconds, s.reading,
                              s.ranks, s.ranks > 1 ? "s" : ""));
}

/// JSON has no NaN: a measure that is none becomes null, which nlohmann does by itself.
Json to_json(const Measures& m) {
  return {{"residual", m.residual}, {"velocity_error", m.velocity_error}, {"dilation", m.dilation},
          {"cost", m.cost},         {"feasibility", m.feasibility},       {"error", m.error}};
}

Json to_json(const Summary& s, const SolverReport& r, double tolerance) {
  Json report{{"file", s.file},
              {"form", s.form},
              {"contacts", s.contacts},
              {"rows", s.rows},
              {"dofs", s.dofs},
              {"symmetric", s.symmetric},
              {"friction", s.friction},
              {"cones", s.cones},
              {"start", s.replay ? "guess" : "zero"},
              {"ranks", s.ranks},
              {"tolerance", tolerance},
              {"solver", r.solver},
              {"status", to_string(r.status)},
              {"reason", r.reason},
              {"iterations", r.iterations},
              {"inner_iterations", r.inner_iterations},
              {"factorisations", r.factorisations},
              {"products", r.products},
              {"seconds", r.seconds},
              {"seconds_reading", s.reading},
              {"processor_seconds", s.processor},
              {"measures", to_json(r.measures)}};
  if (r.merit_rule) report["merit_rule"] = to_string(*r.merit_rule);
  if (s.directions > 0) {
    report["directions"] = s.directions;
    report["residual_of_cones"] = s.residual_of_cones;
  }
  Json history = Json::array();
  for (const HistoryPoint& point : r.history) {
    Json row = to_json(point.measures);
    row["iteration"] = point.iteration;
    row["inner"] = point.inner;
    row["factorisations"] = point.factorisations;
    row["seconds"] = point.seconds;
    row["processor_seconds"] = point.processor_seconds;
    if (point.eigenvalues) {
      row["eigenvalues"] = {point.eigenvalues->low, point.eigenvalues->high};
    }
    if (std::isfinite(point.merit)) row["merit"] = point.merit;
    history.push_back(std::move(row));
  }
  report["history"] = std::move(history);
  return report;
}

/// Can @p path be written to, or made? Leaves nothing behind.
bool can_write(const fs::path& path) {
  if (std::error_code code; fs::exists(path, code)) return access(path.c_str(), W_OK) == 0;
  // Permissions do not tell all (a file system may refuse root, too): the file is tried.
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return false;
  close(file);
  unlink(path.c_str());
  return true;
}

/// A device or a pipe, as /dev/stdout: written to, not replaced.
bool is_stream(const fs::path& path) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  return fs::exists(status) && !fs::is_regular_file(status);
}

/// The file that @p path names, behind links; itself where that has no path, as a pipe.
fs::path target_of(const fs::path& path) {
  std::error_code code;
  const fs::path target = fs::weakly_canonical(fs::absolute(path), code);
  return code ? path : target;
}

/// Why nothing can be written at @p path; empty when it can. Leaves nothing behind.
std::string fault_of_target(const fs::path& path) {
  std::error_code code;
  if (fs::is_directory(path, code)) {
    return fmt::format("{}: is a folder; give the name of a file", path.string());
  }
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, code)) {
    return fmt::format("{}: there is no folder {}", path.string(), folder.string());
  }
  if (can_write(path) && (is_stream(path) || can_write(part_of(target_of(path))))) return {};
  const std::error_code error(errno, std::generic_category());
  return fmt::format("{}: cannot be written: {}", path.string(), error.message());
}

/// One file by two names, which may be there or not.
bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code code;
  if (fs::equivalent(a, b, code)) return true;
  return target_of(a) == target_of(b);
}

std::string fault_of_targets(const SolveArguments& arguments) {
  for (const fs::path& path : {arguments.report, arguments.output}) {
    if (path.empty()) continue;
    if (std::string fault = fault_of_target(path); !fault.empty()) return fault;
    if (same_file(path, arguments.file) || same_file(part_of(target_of(path)), arguments.file)) {
      return fmt::format("{}: would replace the problem; give another name", path.string());
    }
  }
  if (is_stream(arguments.output)) {
    return fmt::format("{}: is no file; give the name of one, as HDF5 cannot be streamed",
                       arguments.output.string());
  }
  if (!arguments.report.empty() && !arguments.output.empty() &&
      same_file(arguments.report, arguments.output)) {
    return fmt::format("{}: is to be both the report and the output; give another name to one",
                       arguments.report.string());
  }
  return {};
}

/// Collective. Refuses before the solve what could not, or must not, be written after it.
void check_writable(MPI_Comm comm, const SolveArguments& arguments) {
  refuse_together(comm, rank_of(comm) == 0 ? fault_of_targets(arguments) : std::string());
}

/// The default keys, or those that the file tells, as the command line changes them. Collective.
RunSolverOptions solver_options(MPI_Comm comm, const SolveArguments& arguments) {
  SolveConfig config;
  const std::string text = arguments.replay ? read_fclib_solver(comm, arguments.file) : "{}";
  read_yaml(text, arguments.file, arguments.overrides, config);
  return config.solver;
}

void write_report(const fs::path& path, const std::string& text) {
  if (!is_stream(path)) {
    write_whole(target_of(path), text);
    return;
  }
  std::ofstream stream(path);
  stream << text << std::flush;
  if (!stream) throw Failure(fmt::format("{}: the report could not be written", path.string()));
}

/// Solves the friction LCP of @p problem; @p lambda gets its impulses, @p summary their error among the
/// cones. Collective.
SolverReport solve_friction_lcp(const ContactProblem& problem, const SolveArguments& arguments,
                                SolverDriver& driver, Vec lambda, Summary& summary) {
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
  const auto start = std::chrono::steady_clock::now();
  const ContactProblem problem = read_fclib(comm, arguments.file, options.friction);
  Summary summary = summarise(problem, arguments, options.friction);
  summary.reading = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const petsc::Vector lambda = arguments.replay ? read_fclib_guess(problem, arguments.file)
                                                : petsc::duplicate(problem.r.get());
  const std::clock_t processor_start = std::clock();
  const SolverReport report =
      arguments.directions == 0
          ? driver.solve(problem, lambda.get())
          : solve_friction_lcp(problem, arguments, driver, lambda.get(), summary);
  summary.processor = static_cast<double>(std::clock() - processor_start) / CLOCKS_PER_SEC;

  const bool speaks = rank_of(comm) == 0;
  if (speaks && !arguments.quiet) print_table(summary, report);
  if (speaks && !arguments.report.empty()) {
    const Json json = to_json(summary, report, options.stop.tolerance);
    write_report(arguments.report, json.dump(2) + "\n");
  }
  if (!arguments.output.empty()) {
    write_fclib_solution(problem, lambda.get(), arguments.file, target_of(arguments.output));
  }
  return report.status == Status::converged ? 0 : 1;
}

}  // namespace scree
