#include "scree/solver/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "scree/config/suggest.hpp"
#include "scree/solver/apgd.hpp"
#include "scree/solver/ipm.hpp"
#include "scree/solver/nsgs.hpp"
#include "scree/solver/pac.hpp"
#include "scree/solver/pgj.hpp"
#include "scree/solver/pgs.hpp"

namespace scree {
namespace {

constexpr std::array kRegistry{
    SolverEntry{"auto",
                "exact friction: nsgs while it gets on, then pac; relaxed law: apgd, then ipm",
                nullptr},
    SolverEntry{"nsgs", "Gauss-Seidel with each contact solved exactly", make_nsgs},
    SolverEntry{"pac", "semismooth Newton with proximal points; exact friction only", make_pac,
                false},
    SolverEntry{"apgd", "accelerated projected gradient", make_apgd},
    SolverEntry{"pgj", "projected Gauss-Jacobi", make_pgj},
    SolverEntry{"pgs", "projected Gauss-Seidel: one step a contact", make_pgs},
    SolverEntry{"psor", "pgs, over-relaxed", make_psor},
    SolverEntry{"amgs", "accelerated modulus-based Gauss-Seidel", make_amgs},
    SolverEntry{"ipm", "interior point method in the space of the bodies", make_ipm},
};

const SolverEntry* find_or_null(std::string_view name) {
  const auto entry = std::find_if(kRegistry.begin(), kRegistry.end(),
                                  [name](const SolverEntry& e) { return e.name == name; });
  return entry == kRegistry.end() ? nullptr : &*entry;
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

std::string fault_of_method(std::string_view method, FrictionLaw law) {
  const SolverEntry* entry = find_or_null(method);
  if (law == FrictionLaw::coulomb || entry == nullptr || entry->takes_associated) return {};
  std::vector<std::string_view> others;
  for (const SolverEntry& other : kRegistry) {
    if (other.takes_associated) others.push_back(other.name);
  }
  return fmt::format("{} solves exact friction only, not the associated law; {} would do", method,
                     fmt::join(others, ", "));
}

}  // namespace scree
