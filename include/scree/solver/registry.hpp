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
  std::unique_ptr<Solver> (*make)(const SolverOptions& options);
};

/// All methods, `auto` first.
std::span<const SolverEntry> solver_registry();

/// The entry called @p name. @throws InputError that lists the names, with the nearest first.
const SolverEntry& find_solver(std::string_view name);

/// Throws InputError naming the method, the reason and the methods that would do, when @p entry
/// cannot take @p problem. Collective in effect: the answer is the same on every rank.
void check_needs(const SolverEntry& entry, const ContactProblem& problem);

/// Solves with the method that @p options name, falls back as they say, and measures the result.
/// Collective. The report's solver is the method that gave lambda; its seconds are those of all
/// tries.
class SolverDriver {
 public:
  explicit SolverDriver(const SolverOptions& options);
  ~SolverDriver();
  SolverReport solve(const ContactProblem& problem, Vec lambda);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace scree
