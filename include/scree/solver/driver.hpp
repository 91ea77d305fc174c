#pragma once

/// One solve with all that the options allow: the method or the methods that `auto` stands for, one
/// after another, those that follow where none converges, and the measure of the result.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/solver/registry.hpp"

namespace scree {

struct PlannedMethod {
  const SolverEntry* entry = nullptr;
  /// Iterations that the method may still need, by its own pace, before the next is tried; 0: any
  /// number. Sweeps of spheres on the kernels count for less than one (sweep_solver.hpp).
  std::int64_t patience = 0;
};

/// The methods that @p method stands for on problems of @p traits, in the order of trying. `auto`
/// is psor, then apgd, then ipm for bodies without friction, but begins with apgd where rows of a
/// pair are nearly the same, since it takes a pair's rows as one block; nsgs, then pac for coulomb;
/// psor where it has kernels, then apgd where those are of spheres alone, else apgd at once, then
/// ipm for associated: the first of each only while it gets on; psor for box; where the diagonal
/// has zeros, lemke, then pac. Newton's methods are never hurried: their residual stands still for
/// many steps, and falls at once near a solution, so that their pace says nothing. Those of
/// @p fallback follow; `auto` among them stands for pac, nsgs, apgd, pgj for coulomb; ipm, apgd,
/// pgj for associated; psor, pgs for box. What does not take such problems is left out.
std::vector<PlannedMethod> solver_plan(std::string_view method, const ProblemTraits& traits,
                                       std::span<const std::string> fallback);

/// Solves with the method that the options name, falls back as they say, and measures the result
/// outside the methods. A later method starts from the best impulses so far, or from zero where
/// those are worse than nothing or satisfy no contact. The best of all is returned, the one that
/// converged, else the one of the least residual: the report's solver is the method that gave it,
/// its status and history are that method's, its counts too, its seconds those of all, and its
/// reason tells of each try.
///
/// Where no velocity satisfies the contacts (a grain between walls that approach), impulses grow
/// without bound, and the residual, relative to them, falls below any tolerance. That alone proves
/// nothing: after a method that ends so a proof is looked for, once a solve. With it the solve ends
/// as infeasible, and no other method is tried; without it the other methods are. Where those fall
/// back and all fail, the best of them still of no use, the solve ends as unbounded: friction can
/// hold contacts that close, though no proof says so. Of rigid bodies the impulses returned are
/// then those of contacts that yield (yielding()), which are bounded.
class SolverDriver {
 public:
  /// @throws InputError when the options name no method of the registry.
  explicit SolverDriver(const SolverOptions& options);
  ~SolverDriver();
  /// The goal that the options ask for: their tolerance, and their limit of time.
  Goal goal() const;
  /// Collective. @p lambda is the start, then the result.
  /// @throws InputError when the method, or one named to fall back to, does not take @p problem
  /// (fault_of_method); GivenUp, on every rank.
  SolverReport solve(const ContactProblem& problem, const Goal& goal, Vec lambda);
  /// The same for the goal() of the options. Collective.
  SolverReport solve(const ContactProblem& problem, Vec lambda) {
    return solve(problem, goal(), lambda);
  }

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace scree
