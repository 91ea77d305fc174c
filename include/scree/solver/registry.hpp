#pragma once

/// The table of methods: YAML, the key reference, `scree solve` and the tests iterate it. Every
/// method takes both laws, and any N, symmetric or not.

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
  /// Null for `auto`, which is a choice by the friction law among the others: SolverDriver makes it.
  std::unique_ptr<Solver> (*make)(const SolverOptions& options);
};

/// All methods, `auto` first.
std::span<const SolverEntry> solver_registry();

/// The entry called @p name. @throws InputError that lists the names, with the nearest first.
const SolverEntry& find_solver(std::string_view name);

/// The methods that @p method stands for under @p law, in the order of trying: `auto` is nsgs for
/// coulomb, apgd then ipm for associated. With @p fallback the rest of ipm, apgd, pgj follow.
std::vector<const SolverEntry*> solver_plan(std::string_view method, FrictionLaw law,
                                            bool fallback);

/// Solves with the method that the options name, falls back as they say, and measures the result
/// outside the methods. A later method starts from the best impulses so far, or from zero where
/// those are worse than nothing or come from a method that found the problem infeasible. The best of
/// all is returned, the one that converged, else the one of the least residual: the report's solver
/// is the method that gave it, its status and history are that method's, its seconds those of all,
/// and its reason tells of each try. Once a method has found the problem infeasible, no later one
/// counts as converged whose contacts err nearly as much as without impulses.
class SolverDriver {
 public:
  /// @throws InputError when the options name no method of the registry.
  explicit SolverDriver(const SolverOptions& options);
  ~SolverDriver();
  /// Collective. @p lambda is the start, then the result.
  SolverReport solve(const ContactProblem& problem, Vec lambda);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace scree
