#pragma once

/// The table of methods: YAML, the key reference, `scree solve` and the tests iterate it.

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "scree/solver/options.hpp"
#include "scree/solver/solver.hpp"

namespace scree {

struct SolverEntry {
  std::string_view name;
  std::string_view help;
  SolverNeeds needs;
  /// Null for `auto`, which is a choice by the friction law among the others: SolverDriver makes it.
  std::unique_ptr<Solver> (*make)(const SolverOptions& options);
};

/// All methods, `auto` first.
std::span<const SolverEntry> solver_registry();

/// The entry called @p name. @throws InputError that lists the names, with the nearest first.
const SolverEntry& find_solver(std::string_view name);

/// Throws InputError naming the method, the reason and the methods that would do, when @p entry
/// cannot take @p problem. Collective in effect: the answer is the same on every rank.
void check_needs(const SolverEntry& entry, const ContactProblem& problem);

/// The methods that @p method stands for under @p law, in the order of trying: `auto` is nsgs for
/// coulomb, apgd then ipm for associated. With @p fallback the rest of ipm, apgd, pgj follow.
std::vector<const SolverEntry*> solver_plan(std::string_view method, FrictionLaw law,
                                            bool fallback);

/// Solves with the method that the options name, falls back as they say, and measures the result
/// outside the methods. A later method starts from the best impulses so far, or from zero where
/// those are worse than nothing. The best of all is returned: the report's solver is the method
/// that gave it, its status and history are that method's, its seconds those of all, and its reason
/// tells of each try.
class SolverDriver {
 public:
  /// @throws InputError when the options name no method of the registry.
  explicit SolverDriver(const SolverOptions& options);
  ~SolverDriver();
  /// Collective. @p lambda is the start, then the result.
  /// @throws InputError when the method named does not take @p problem.
  SolverReport solve(const ContactProblem& problem, Vec lambda);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace scree
