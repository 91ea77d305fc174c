#pragma once

/// The solver interface. A method is one file in src/solver and one row of the registry.
///
/// Solver data splits four ways: options (a declared struct), the problem (const), the workspace
/// (the Solver object, reused from step to step), the report. solve() has no other input, and
/// writes nothing but lambda. Not to converge is a result, not an exception.

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/base/enumeration.hpp"
#include "scree/problem/contact_problem.hpp"
#include "scree/problem/measure.hpp"
#include "scree/solver/goal.hpp"

namespace scree {

class Declaration;

enum class Status {
  converged,
  iteration_limit,
  time_limit,
  stagnated,   ///< no more progress
  diverged,    ///< NaN, infinity or growth
  infeasible,  ///< no solution exists, which is proven
  unbounded,   ///< no method found a solution, and impulses grow without bound
  breakdown,   ///< a linear solve or factorisation failed
  too_soft,    ///< it converged, and a spring is compressed too far (step/compression.hpp)
  merit_rule,  ///< a rule about the method's own merit: SolverReport::merit_rule says which
};
template <>
inline constexpr std::array kNamesOf<Status> = names("converged", "iteration limit", "time limit",
                                                     "stagnated", "diverged", "infeasible",
                                                     "unbounded", "breakdown", "too soft",
                                                     "ended by merit");

/// Rules of paper 002 (section 6) that end a method by its merit. They say nothing of whether the
/// problem is solved: that is for the residual, as ever.
enum class MeritRule {
  absolute,       ///< the merit fell below MeritOptions::absolute
  relative,       ///< the merit changed by less than MeritOptions::relative of itself
  change,         ///< no impulse changed by more than MeritOptions::change
  no_descent,     ///< a direction along which the merit does not fall
  local_minimum,  ///< the merit has no slope where it is not zero
};
template <>
inline constexpr std::array kNamesOf<MeritRule> = names("absolute", "relative", "change",
                                                        "no descent", "local minimum");

/// The smallest and the largest of some numbers.
struct Spread {
  double low = 0.0;
  double high = 0.0;
};

/// One point of a solve's history.
struct HistoryPoint {
  std::int64_t iteration = 0;
  std::int64_t inner = 0;           ///< Krylov iterations so far
  std::int64_t factorisations = 0;  ///< since the start of the solve
  double seconds = 0.0;
  double processor_seconds = 0.0;  ///< of this process alone, whatever else the machine does
  Measures measures;
  /// Extreme eigenvalues of the preconditioned matrix of the step from here; only where they were
  /// asked for.
  std::optional<Spread> eigenvalues;
  /// The method's own merit function, where it has one, else NaN: sum |x_i y_i| of the sweeps, in
  /// J, and half the square of what minmap or fischer bring to zero.
  double merit = std::numeric_limits<double>::quiet_NaN();
};

/// A method that was tried, and how it ended.
struct SolverAttempt {
  std::string method;
  Status status = Status::converged;
};

/// `nsgs:iteration-limit>pac:converged`: the methods in their order, in words that tables can hold.
std::string code_of(std::span<const SolverAttempt> attempts);

struct SolverReport {
  std::string solver;                   ///< name in the registry of the method that gave lambda
  std::string reason;                   ///< why this method, or what ended it: one line for the log
  std::vector<SolverAttempt> attempts;  ///< all that were tried, the last one last
  Status status = Status::converged;
  /// Whether impulses grew without bound and left half of the error without them, at least.
  bool gains_nothing = false;
  std::optional<MeritRule> merit_rule;  ///< the one that ended the method, where one did
  std::int64_t iterations = 0;
  std::int64_t inner_iterations = 0;  ///< Krylov iterations
  std::int64_t factorisations = 0;
  std::int64_t products = 0;  ///< products with N or K
  double seconds = 0.0;
  Measures measures;                    ///< how well the returned lambda solves the problem
  std::optional<double> contact_error;  ///< its ContactErrors::largest(), where the goal bounds it
  /// Whether those are by u = N lambda + r computed afresh, and not by one that the method kept up
  /// to date.
  bool measured_afresh = false;
  /// M^-1 J^T lambda, kBodyDofs numbers for each local body, by which lambda was measured
  /// afresh; none where it was not, or the problem has no block rows: on all ranks alike.
  std::optional<std::vector<double>> body_velocities;
  std::vector<HistoryPoint> history;
};

/// Numbers of those rules of MeritRule that the merit theta is held against, each off where it is
/// 0.
struct MeritOptions {
  double absolute = 0.0;  ///< theta_k+1 < absolute (eq. 107)
  double relative = 0.0;  ///< |theta_k+1 - theta_k| < relative |theta_k| (eq. 108)
  double change = 0.0;    ///< max |x_k+1 - x_k| < change (eq. 109), N s

  bool any() const { return absolute > 0.0 || relative > 0.0 || change > 0.0; }
  void declare(Declaration& d);
};

/// The keys that bound every solve, whatever the method.
struct StopOptions {
  double tolerance = 1e-4;          ///< Goal::residual of a solve
  std::int64_t max_iterations = 0;  ///< 0: the method's own default
  double max_seconds = 0.0;         ///< 0: none
  MeritOptions merit;

  void declare(Declaration& d);
};

/// When a method ends: at the goal, or at a limit before it.
struct Stop {
  Goal goal = {};
  std::int64_t max_iterations = 0;  ///< 0: the method's own default
  double max_seconds = 0.0;         ///< 0: none
  /// Iterations that a method may still need, by its own pace, before another is tried; 0: any
  /// number.
  std::int64_t patience = 0;
  MeritOptions merit = {};
};

class Solver {
 public:
  virtual ~Solver() = default;
  /// Collective. @p lambda is the start, then the result: the best iterate that the method found.
  /// @throws GivenUp, on every rank.
  virtual SolverReport solve(const ContactProblem& problem, const Stop& stop, Vec lambda) = 0;
};

}  // namespace scree
