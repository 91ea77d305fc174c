#include "solve_summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <utility>
#include <vector>

#include "scree/base/parallel.hpp"

namespace scree {
namespace {

using Json = nlohmann::ordered_json;

/// The cones of each type that there is, on all ranks. Collective.
std::map<std::string_view, std::int64_t> count_cones(const ContactProblem& problem) {
  std::vector<double> counts(cones::kTypes, 0.0);
  for (const ConeBatch& batch : problem.cones.batches) {
    counts[batch.type] += batch.count;
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

/// JSON has no NaN: a measure that is none becomes null, which nlohmann does by itself.
Json to_json(const Measures& m) {
  return {{"residual", m.residual}, {"velocity_error", m.velocity_error}, {"dilation", m.dilation},
          {"cost", m.cost},         {"feasibility", m.feasibility},       {"error", m.error}};
}

}  // namespace

SolveSummary summarise(const ContactProblem& problem, const SolveArguments& arguments,
                       const Friction& friction) {
  SolveSummary s;
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
  s.friction = to_string(friction.law);
  if (friction.law == FrictionLaw::pyramid) s.directions = friction.directions;
  s.cones = count_cones(problem);
  s.replay = arguments.replay;
  s.ranks = size_of(problem.comm);
  return s;
}

void print_table(const SolveSummary& s, const SolverReport& r) {
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
    line("pyramids", fmt::format("{} directions; residual among the cones {:.3e}", s.directions,
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
  if (r.contact_error) line("contact_error", fmt::format("{:.3e}", *r.contact_error));
  line("velocity_error", fmt::format("{:.3e} m/s", r.measures.velocity_error));
  line("dilation", fmt::format("{:.3e} m/s", r.measures.dilation));
  line("cost", fmt::format("{:.3e} J", r.measures.cost));
  line("feasibility", fmt::format("{:.3e}", r.measures.feasibility));
  line("seconds", fmt::format("{:.3f} (and {:.3f} reading, on {} rank{})", r.seconds, s.reading,
                              s.ranks, s.ranks > 1 ? "s" : ""));
}

Json to_json(const SolveSummary& s, const SolverReport& r, double tolerance) {
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
  if (r.contact_error) report["contact_error"] = *r.contact_error;
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

}  // namespace scree
