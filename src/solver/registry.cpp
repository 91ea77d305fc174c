#include "scree/solver/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "scree/config/suggest.hpp"
#include "scree/solver/apgd.hpp"
#include "scree/solver/ipm.hpp"
#include "scree/solver/nsgs.hpp"
#include "scree/solver/pac.hpp"
#include "scree/solver/pgj.hpp"

namespace scree {
namespace {

constexpr std::array kRegistry{
    SolverEntry{"auto", "nsgs for exact friction; apgd, then ipm for the relaxed law", nullptr},
    SolverEntry{"nsgs", "Gauss-Seidel with each contact solved exactly", make_nsgs},
    SolverEntry{"pac", "semismooth Newton with proximal points; exact friction only", make_pac},
    SolverEntry{"apgd", "accelerated projected gradient", make_apgd},
    SolverEntry{"pgj", "projected Gauss-Jacobi", make_pgj},
    SolverEntry{"ipm", "interior point method in the space of the bodies", make_ipm},
};

constexpr std::array<std::string_view, 3> kFallback{"ipm", "apgd", "pgj"};

const SolverEntry* find_or_null(std::string_view name) {
  const auto entry = std::find_if(kRegistry.begin(), kRegistry.end(),
                                  [name](const SolverEntry& e) { return e.name == name; });
  return entry == kRegistry.end() ? nullptr : &*entry;
}

/// Whether contacts err under @p m nearly as much as without impulses: a residual relative to
/// impulses that grow without bound says nothing.
bool errs_like_no_impulse(const Measures& m, Measurer& measurer, Vec lambda) {
  constexpr double kStillWrong = 0.3;
  const petsc::Vector zero = petsc::duplicate(lambda);
  return m.velocity_error >= kStillWrong * measurer.measure(zero.get()).velocity_error;
}

}  // namespace

std::string_view to_string(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::iteration_limit:
      return "iteration limit";
    case Status::time_limit:
      return "time limit";
    case Status::stagnated:
      return "stagnated";
    case Status::diverged:
      return "diverged";
    case Status::infeasible:
      return "infeasible";
    case Status::breakdown:
      return "breakdown";
  }
  return "unknown";
}

std::span<const SolverEntry> solver_registry() {
  return kRegistry;
}

const SolverEntry& find_solver(std::string_view name) {
  if (const SolverEntry* entry = find_or_null(name)) return *entry;
  std::vector<std::string_view> names;
  for (const SolverEntry& entry : kRegistry) names.push_back(entry.name);
  const std::string_view nearest = nearest_word(name, names);
  throw InputError(fmt::format("no solver is called `{}`{}; the solvers are {}", name,
                               nearest.empty() ? "" : fmt::format(" (did you mean `{}`?)", nearest),
                               fmt::join(names, ", ")));
}

std::vector<const SolverEntry*> solver_plan(std::string_view method, FrictionLaw law,
                                            bool fallback) {
  std::vector<std::string_view> names{method};
  if (method == "auto") {
    names = law == FrictionLaw::coulomb ? std::vector<std::string_view>{"nsgs"}
                                        : std::vector<std::string_view>{"apgd", "ipm"};
  }
  if (fallback) names.insert(names.end(), kFallback.begin(), kFallback.end());
  std::vector<const SolverEntry*> plan;
  for (const std::string_view name : names) {
    const SolverEntry* entry = find_or_null(name);
    if (entry != nullptr && std::find(plan.begin(), plan.end(), entry) == plan.end()) {
      plan.push_back(entry);
    }
  }
  return plan;
}

struct SolverDriver::State {
  SolverOptions options;
  std::vector<std::pair<const SolverEntry*, std::unique_ptr<Solver>>> made;

  Solver& solver(const SolverEntry& entry) {
    for (auto& [known, solver] : made) {
      if (known == &entry) return *solver;
    }
    made.emplace_back(&entry, entry.make(options));
    return *made.back().second;
  }
};

SolverDriver::SolverDriver(const SolverOptions& options)
    : state_(std::make_unique<State>(State{options, {}})) {
  static_cast<void>(find_solver(options.method));
}

SolverDriver::~SolverDriver() = default;

SolverReport SolverDriver::solve(const ContactProblem& problem, Vec lambda) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const auto elapsed = [start] {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const SolverOptions& options = state_->options;

  Measurer measurer(problem);
  const petsc::Vector trial = petsc::duplicate(lambda);
  SCREE_PETSC(VecCopy(lambda, trial.get()));
  SolverReport best;
  std::string story;
  bool first = true;
  bool infeasible = false;  // a method said so: the claims of later ones are doubted
  const bool fallback = options.on_not_converged == NotConverged::fallback;
  for (const SolverEntry* entry : solver_plan(options.method, problem.friction, fallback)) {
    StopOptions stop = options.stop;
    if (stop.max_seconds > 0.0 && !first) {
      stop.max_seconds -= best.seconds;
      if (stop.max_seconds <= 0.0) break;
    }
    SolverReport report = state_->solver(*entry).solve(problem, stop, trial.get());
    report.measures = measurer.measure(trial.get());
    if (report.status == Status::converged &&
        !(report.measures.residual <= stop.tolerance * 1.01)) {
      report.status = Status::stagnated;
      report.reason +=
          fmt::format("; measured outside, the residual is {:.3g}", report.measures.residual);
    }
    if (report.status == Status::converged && infeasible &&
        errs_like_no_impulse(report.measures, measurer, lambda)) {
      report.status = Status::infeasible;
      report.reason +=
          fmt::format("; contacts are still wrong by {:.3g} m/s", report.measures.velocity_error);
    }
    infeasible = infeasible || report.status == Status::infeasible;
    story += fmt::format("{}{}: {} ({})", first ? "" : "; then ", entry->name,
                         to_string(report.status), report.reason);
    const bool better = first || report.status == Status::converged ||
                        report.measures.residual < best.measures.residual;
    if (better) {
      best = std::move(report);
      SCREE_PETSC(VecCopy(trial.get(), lambda));
    }
    best.seconds = elapsed();  // rank 0's clock rules the time left below
    SCREE_MPI(MPI_Bcast(&best.seconds, 1, MPI_DOUBLE, 0, problem.comm));
    first = false;
    if (best.status == Status::converged) break;
    SCREE_PETSC(VecCopy(lambda, trial.get()));
    if (best.status == Status::infeasible || !(best.measures.residual <= 1.0)) {
      SCREE_PETSC(VecSet(trial.get(), 0.0));
    }
  }
  best.reason = story;
  return best;
}

}  // namespace scree
