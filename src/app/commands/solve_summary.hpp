#pragma once

/// The summary by `scree solve` of a problem and of its solution: a table on the console, and a
/// report in JSON.

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "scree/app/commands/solve_command.hpp"
#include "scree/problem/contact_problem.hpp"
#include "scree/solver/solver.hpp"

namespace scree {

/// The facts of a problem that the table and the report name.
struct SolveSummary {
  std::string file;
  std::string form;
  std::int64_t contacts = 0;
  std::int64_t rows = 0;
  std::int64_t dofs = 0;
  bool symmetric = true;
  std::string_view friction;
  std::map<std::string_view, std::int64_t> cones;  ///< number of cones of each type that there is
  bool replay = false;
  int ranks = 1;
  int directions = 0;              ///< of the law `pyramid`; 0: another law
  double residual_of_cones = 0.0;  ///< residual of the pyramids' impulses for the cones
  double reading = 0.0;            ///< s
  double processor = 0.0;          ///< s, of this process alone in all methods of the solve
};

/// The summary of @p problem, without what is known after the solve only. Collective.
SolveSummary summarise(const ContactProblem& problem, const SolveArguments& arguments,
                       const Friction& friction);

/// Prints problem and solution to the console. Not collective.
void print_table(const SolveSummary& summary, const SolverReport& report);

/// Problem and solution with the history of the solve, which was asked to @p tolerance. Not
/// collective.
nlohmann::ordered_json to_json(const SolveSummary& summary, const SolverReport& report,
                               double tolerance);

}  // namespace scree
