#include "scree/solver/options.hpp"

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

void SolverOptions::declare(Declaration& d) {
  std::vector<std::string_view> names;
  for (const SolverEntry& entry : solver_registry()) names.push_back(entry.name);
  d.word("method", method, names, {.help = "the solver of each step's contact problem"});
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
}

}  // namespace scree
