#include "scree/solver/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "scree/config/declaration.hpp"
#include "scree/solver/registry.hpp"

namespace scree {

void StopOptions::declare(Declaration& d) {
  d.real("tolerance", tolerance,
         {.help = "largest residual (natural map, relative, unit-free) that counts as solved",
          .above = 0.0,
          .below = 1.0});
  d.integer("max_iterations", max_iterations,
            {.help = "iterations allowed a solve; 0: the method's own limit", .min = 0});
  d.real("max_seconds", max_seconds,
         {.help = "time allowed a solve, with `relcp` all solves of a step or of a part of it; all "
                  "parts of a step that is cut may take ten times as long together; 0: no limit",
          .unit = "s",
          .min = 0.0});
  d.object("merit", merit,
           {.help = "rules that end a method by its own merit function: sweeps, minmap, fischer"});
}

void MeritOptions::declare(Declaration& d) {
  d.real("absolute", absolute, {.help = "end where the merit is below; 0: off", .min = 0.0});
  d.real("relative", relative,
         {.help = "end where the merit changes by less than this share of itself; 0: off",
          .min = 0.0});
  d.real("change", change,
         {.help = "end where no impulse changes by more; 0: off", .unit = "N s", .min = 0.0});
}

SolverOptions::SolverOptions() = default;

namespace {

/// The fault of `matrices: petsc` with the methods that @p options name; empty where there is none.
std::string fault_of_matrices(const SolverOptions& options) {
  if (options.matrices == MatrixForm::blocks) return {};
  std::vector<std::string> named{options.method};
  if (options.on_not_converged == NotConverged::fallback) {
    named.insert(named.end(), options.fallback.begin(), options.fallback.end());
  }
  std::vector<std::string_view> users;
  for (const SolverEntry& entry : solver_registry()) {
    if (entry.by_matrices) users.push_back(entry.name);
  }
  for (const std::string& method : named) {
    if (std::ranges::find(users, method) != users.end()) continue;
    return fmt::format(
        "is `petsc`, which `{}` has no use for; allowed: with {} as `method` and "
        "in `fallback`",
        method, fmt::join(users, ", "));
  }
  return {};
}

}  // namespace

void SolverOptions::declare(Declaration& d) {
  std::vector<std::string_view> names;
  for (const SolverEntry& entry : solver_registry()) names.push_back(entry.name);
  d.word("method", method, names, {.help = "the solver of each step's contact problem"});
  d.enumeration(
      "matrices", matrices,
      {.help = "what the method multiplies by and takes its systems from: blocks, the frames of "
               "contacts and the masses of bodies; petsc, the contact Jacobian J and the inverse "
               "mass M^-1 as distributed PETSc matrices, made once a step, for ipm, kleinert, "
               "apgd and pgj alone"});
  stop.declare(d);
  d.enumeration(
      "on_not_converged", on_not_converged,
      {.help =
           "when the method does not converge: take the step and go on; warn, too; fall back to "
           "other methods in turn before that; abort the run before the step; or take the step "
           "again in halves, and warn where they do not converge either"});
  d.words("fallback", fallback, names,
          {.help = "the methods that run with on_not_converged fallback, in this order, from the "
                   "best impulses so far; auto: those of the law of friction; none: []"});
  for (const SolverEntry& entry : solver_registry()) {
    if (entry.declare != nullptr) entry.declare(entry, *this, d);
  }
  const std::string fault = fault_of_matrices(*this);
  d.require("matrices", fault.empty(), fault);
}

}  // namespace scree
