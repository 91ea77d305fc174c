#include "scree/solver/driver.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include "infeasibility_proof.hpp"
#include "scree/base/log_stage.hpp"
#include "scree/base/parallel.hpp"
#include "scree/problem/contact_error.hpp"
#include "scree/problem/matrix_form.hpp"

namespace scree {
namespace {

/// Sweeps that cost as much as pac to 1e-6 or 1e-8: on matrices of boxes, rocks and capsules
/// (scripts/bench/blocks) it takes as long as 540 to 12,500 sweeps by rules, in the median 2,200.
/// Those on the kernels are counted otherwise (sweep_solver.cpp).
constexpr std::int64_t kPatience = 2000;
/// Gradient steps that cost as much as ipm, at the most: 900 to 8,100 on the same problems. With
/// 2,000 they were stopped where they would have converged nine times sooner.
constexpr std::int64_t kGradientPatience = 10000;

/// Gradient steps likewise where rows of pairs are nearly the same, whose error may stand still for
/// long (apgd.cpp): with the patience above, 1,100 steps of a colony of up to 128 cells took three
/// times as long, in ipm.
constexpr std::int64_t kRepeatedPatience = 30000;

/// Gradient steps where bodies move in a plane, measured on colonies alone: the 26 iterations that
/// ipm takes for 4,096 cells cost the processor as much as some 4,000 gradient steps. With a
/// patience of 2,000, 8,000 and 20,000 a time step of these cells takes 2.0, 1.55 and 1.9 s, and
/// one of 2,048 0.68, 0.57 and 0.65 s.
constexpr std::int64_t kPlanarPatience = 8000;

/// Sweeps of half lines after which gradient steps are tried, which cost as much and get on faster
/// where beds are jammed: of 1,000 ellipsoids drawn together, psor takes 90 sweeps to 1e-4 and
/// 3,200 to 1e-5, apgd 310 and 860 steps.
constexpr std::int64_t kShortPatience = 500;

/// Sweeps of spheres by the associated law after which gradient steps on the kernels are tried: 50
/// times as many, and 100 from 40,000 contacts on (sweep_solver.cpp). Those solve rigid boxes of
/// 8,300 and 20,800 contacts to 1e-8 in 8,600 and 9,600 steps, each as dear as 1.3 sweeps, of which
/// it takes psor 78,000; to 1e-4 psor takes 160 sweeps where steps are 400.
constexpr std::int64_t kBallPatience = 200;

constexpr std::string_view kAuto = "auto";

/// Steps of half lines for which gradients are worth their while.
std::int64_t gradient_patience(const ProblemTraits& traits) {
  if (!traits.repeats_rows) return kGradientPatience;
  return traits.planar ? kPlanarPatience : kRepeatedPatience;
}

/// Whether the cones are those of friction alone, on which psor was measured to be faster than
/// gradient steps; on those of moments that was not.
bool are_second_order(const ProblemTraits& traits) {
  return traits.by_bodies && (traits.cones & ~kSecondOrderCones) == 0;
}

bool is_useless(const SolverReport& report) {
  return report.gains_nothing || report.status == Status::infeasible;
}

/// Whether @p a is the better result: one that is of use, then the smaller residual.
bool is_better(const SolverReport& a, const SolverReport& b) {
  const bool useless_b = is_useless(b);
  return is_useless(a) == useless_b ? a.measures.residual < b.measures.residual : useless_b;
}

}  // namespace

std::vector<PlannedMethod> solver_plan(std::string_view method, const ProblemTraits& traits,
                                       std::span<const std::string> fallback) {
  const bool exact = !traits.associated;
  const bool box = traits.pyramids();
  std::vector<PlannedMethod> plan;
  const auto add = [&](std::string_view name, std::int64_t patience) {
    const SolverEntry* entry = &find_solver(name);
    if (!unmet(entry->needs, traits).empty()) return;
    const bool known = std::any_of(plan.begin(), plan.end(), [&](const PlannedMethod& p) {
      return p.entry == entry && p.patience == patience;
    });
    if (!known) plan.push_back({entry, patience});
  };
  if (method == kAuto && !traits.positive_diagonal) {
    add("lemke", 0);
    add(exact ? "pac" : "ipm", 0);
  } else if (method == kAuto && box) {
    add("psor", 0);
  } else if (method == kAuto && traits.half_lines() && traits.by_bodies) {
    // without friction both laws are the convex one
    if (!traits.repeats_rows) add("psor", kShortPatience);
    add("apgd", gradient_patience(traits));
    add("ipm", 0);
  } else if (method == kAuto && exact) {
    add("nsgs", kPatience);
    add("pac", 0);
  } else if (method == kAuto && traits.plain_spheres) {
    add("psor", kBallPatience);
    add("apgd", kGradientPatience);
    add("ipm", 0);
  } else if (method == kAuto) {
    are_second_order(traits) ? add("psor", kPatience) : add("apgd", kGradientPatience);
    add("ipm", 0);
  } else {
    add(method, 0);
  }
  for (const std::string_view other : fallback) {
    if (other != kAuto) {
      add(other, 0);
    } else if (box) {
      for (const std::string_view name : {"psor", "pgs"}) add(name, 0);
    } else if (exact) {
      for (const std::string_view name : {"pac", "nsgs", "apgd", "pgj"}) add(name, 0);
    } else {
      for (const std::string_view name : {"ipm", "apgd", "pgj"}) add(name, 0);
    }
  }
  if (!plan.empty()) plan.back().patience = 0;  // nothing comes after it
  return plan;
}

namespace {

/// The methods that follow the one that the options name.
std::vector<std::string> fallback_of(const SolverOptions& options) {
  if (options.on_not_converged != NotConverged::fallback) return {};
  return options.fallback;
}

/// The form of @p problem that the methods are given in its place; none where they take it as it
/// is. Collective.
std::optional<ContactProblem> form_of(const SolverOptions& options, const ContactProblem& problem) {
  if (options.matrices == MatrixForm::blocks || !problem.delassus.blocks) return std::nullopt;
  return in_matrix_form(problem);
}

/// Each method that is named must take the problem.
void refuse_methods(const SolverOptions& options, const ProblemTraits& traits,
                    const std::string& origin) {
  std::vector<std::string> named = fallback_of(options);
  named.insert(named.begin(), options.method);
  for (const std::string& method : named) {
    const std::string fault = fault_of_method(method, traits);
    if (!fault.empty()) throw InputError(fmt::format("{}: {}", origin, fault));
  }
}

}  // namespace

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

Goal SolverDriver::goal() const {
  Goal goal{.residual = state_->options.stop.tolerance};
  if (state_->options.stop.max_seconds > 0.0) goal.max_seconds = state_->options.stop.max_seconds;
  return goal;
}

namespace {

/// The difference that two measurements of one solution may have.
Goal with_rounding(Goal goal) {
  constexpr double kRounding = 1.01;
  goal.residual *= kRounding;
  goal.velocity_error *= kRounding;
  goal.contact_error *= kRounding;
  return goal;
}

bool is_solved(const SolverReport& report, const Goal& goal) {
  return solved(report.measures, goal) && report.contact_error.value_or(0.0) <= goal.contact_error;
}

/// Whether the error that is left is rounding of the bodies' velocities, as of a body that just
/// fits between two: its residual, relative to rounding, means nothing. Collective.
bool is_rounding(const ContactProblem& problem, const Goal& goal, const SolverReport& report) {
  constexpr double kRounding = 1e-13;  // of the fastest body
  constexpr double kFinest = 1e-12;    // a residual that is asked for below it is one of rounding
  if (!problem.delassus.blocks || goal.residual < kFinest) return false;
  if (report.contact_error.value_or(0.0) > goal.contact_error) return false;
  const petsc::ConstView v(problem.v_free.get());
  double fastest = 0.0;
  for (std::size_t k = 0; k + kBodyDofs <= v.size(); k += kBodyDofs) {
    fastest = std::max(fastest, std::hypot(v[k], v[k + 1], v[k + 2]));
  }
  fastest = max_over_ranks(problem.comm, fastest);
  return report.measures.velocity_error <= kRounding * fastest;
}

constexpr std::string_view kYielding =
    "; no impulses were found that satisfy all contacts: those given are the bounded ones of "
    "contacts that yield";

constexpr std::string_view kNoProof = "; nothing proves that there is no solution";

/// Of the time of a solve, for the search for a proof that it has no solution.
constexpr double kProofShare = 0.25;

/// The place is for speed_of_any_solution().
constexpr std::string_view kProof =
    "; any solution moves bodies, in the mean, {:.3g} times faster than contacts close";

/// The limit of time of a solve; 0: none.
double seconds_for(const SolverOptions& options, const Goal& goal) {
  if (!std::isfinite(goal.max_seconds)) return options.stop.max_seconds;
  const double own = options.stop.max_seconds;
  return own > 0.0 ? std::min(own, goal.max_seconds) : goal.max_seconds;
}

/// Measures @p lambda outside the methods. Collective.
void measure_outside(const ContactProblem& problem, const Goal& goal, Vec lambda,
                     SolverReport& report) {
  if (!report.measured_afresh) {
    Measurer measurer(problem);
    report.measures = measurer.measure(lambda);
    report.body_velocities = measurer.release_body_velocities();
  }
  report.measured_afresh = true;
  if (std::isfinite(goal.contact_error)) {
    report.contact_error = ContactErrors(problem).largest(lambda);
  }
}

/// Where rigid contacts have no solution: the bounded impulses of contacts that yield, in place of
/// ones that grew without bound.
void yield(const ContactProblem& problem, const Goal& own, Vec lambda, SolverReport& report) {
  // The share of N_ii: a contact then yields a tenth of what free bodies would.
  constexpr double kShare = 0.1;
  constexpr std::int64_t kSweeps = 500;
  const ContactProblem soft = yielding(problem, kShare);
  Stop stop;
  stop.max_iterations = kSweeps;
  stop.goal.give_up = own.give_up;
  SolverOptions options;
  SCREE_PETSC(VecSet(lambda, 0.0));
  static_cast<void>(find_solver("nsgs").make(options)->solve(soft, stop, lambda));
  report.measured_afresh = false;
  measure_outside(problem, own, lambda, report);
}

}  // namespace

SolverDriver::SolverDriver(const SolverOptions& options)
    : state_(std::make_unique<State>(State{options, {}})) {
  static_cast<void>(find_solver(options.method));
}

SolverDriver::~SolverDriver() = default;

std::string code_of(std::span<const SolverAttempt> attempts) {
  std::vector<std::string> words;
  for (const SolverAttempt& attempt : attempts) {
    std::string status(to_string(attempt.status));
    std::ranges::replace(status, ' ', '-');
    words.push_back(fmt::format("{}:{}", attempt.method, status));
  }
  return fmt::format("{}", fmt::join(words, ">"));
}

SolverReport SolverDriver::solve(const ContactProblem& problem, const Goal& goal, Vec lambda) {
  const LogStage stage(Stage::solve);
  const ProblemTraits traits = traits_of(problem);
  refuse_methods(state_->options, traits, problem.origin);
  throw_if_given_up(problem.comm, goal);  // solves that end at their start look at no clock
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const auto elapsed = [start] {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const SolverOptions& options = state_->options;

  const std::optional<ContactProblem> form = form_of(options, problem);
  petsc::Vector later;  // where methods after the first one try
  SolverReport best;
  std::string attempts;
  std::vector<SolverAttempt> tried;
  bool first = true;
  bool infeasible = false;
  bool sought = false;  // a proof of that
  bool out_of_time = false;
  const std::vector<PlannedMethod> plan = solver_plan(options.method, traits, fallback_of(options));
  if (plan.empty()) {
    throw InputError(
        fmt::format("{}: `auto` has no method for these cones with this matrix (apgd {}); name one",
                    problem.origin, unmet(find_solver("apgd").needs, traits)));
  }
  for (const PlannedMethod& method : plan) {
    Stop stop{.goal = goal,
              .max_iterations = options.stop.max_iterations,
              .max_seconds = seconds_for(options, goal),
              .patience = method.patience,
              .merit = options.stop.merit};
    if (stop.max_seconds > 0.0 && !first) {
      stop.max_seconds -= best.seconds;
      if (stop.max_seconds <= 0.0) {
        out_of_time = true;
        break;
      }
    }
    const Vec trial = first ? lambda : later.get();
    SolverReport report = state_->solver(*method.entry).solve(form ? *form : problem, stop, trial);
    if (form) report.measured_afresh = false;  // block rows judge what came of matrices
    measure_outside(problem, goal, trial, report);
    if (report.status == Status::converged && !is_solved(report, with_rounding(goal))) {
      report.status = Status::stagnated;
      report.reason += fmt::format(
          "; measured outside, the residual is {:.3g}{}", report.measures.residual,
          report.contact_error
              ? fmt::format(", the largest error of a contact {:.3g}", *report.contact_error)
              : "");
    }
    if (report.status != Status::converged && is_rounding(problem, goal, report)) {
      report.status = Status::converged;
      report.reason += "; the error that is left is rounding of the velocities";
    }
    infeasible = report.status == Status::infeasible;
    if (report.gains_nothing && report.status != Status::converged && !sought) {
      sought = true;
      const double speed =
          speed_of_any_solution(problem, goal.give_up, kProofShare * seconds_for(options, goal));
      infeasible = infeasible || speed >= kImpossibleSpeed;
      if (infeasible) report.status = Status::infeasible;
      report.reason += speed > 1.0 ? fmt::format(kProof, speed) : kNoProof;
    }
    attempts += fmt::format("{}{}: {} ({})", first ? "" : "; then ", method.entry->name,
                            to_string(report.status), report.reason);
    tried.push_back({std::string(method.entry->name), report.status});
    const bool better = first || report.status == Status::converged || is_better(report, best);
    if (better) {
      best = std::move(report);
      if (!first) SCREE_PETSC(VecCopy(trial, lambda));
    }
    best.seconds = elapsed();  // rank 0's clock rules the time left below
    SCREE_MPI(MPI_Bcast(&best.seconds, 1, MPI_DOUBLE, 0, problem.comm));
    first = false;
    if (best.status == Status::converged || infeasible) break;
    later = petsc::copy(lambda);
    if (is_useless(best) || !(best.measures.residual <= 1.0)) {
      SCREE_PETSC(VecSet(later.get(), 0.0));
    }
  }
  if (best.status != Status::converged && (infeasible || is_useless(best))) {
    if (infeasible) {
      best.status = Status::infeasible;
    } else if (out_of_time) {
      best.status = Status::time_limit;
    } else if (options.on_not_converged == NotConverged::fallback) {
      best.status = Status::unbounded;
    }
    if (problem.delassus.blocks) {
      yield(problem, goal, lambda, best);
      attempts += kYielding;
    }
  }
  best.reason = attempts;
  best.attempts = std::move(tried);
  return best;
}

}  // namespace scree
