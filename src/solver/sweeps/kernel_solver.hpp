#pragma once

/// Solves on the kernels: sweeps with inertia (inertia.hpp), or gradient steps of all contacts at
/// once (base/gradient_pace.hpp).

#include <cstdint>
#include <string_view>

#include "pair_iteration.hpp"
#include "pair_problem.hpp"
#include "scree/solver/solver.hpp"

namespace scree {

/// A method on the kernels.
struct KernelMethod {
  std::string_view name;
  std::int64_t limit = 0;  ///< iterations
  PairMethod pairs;
};

/// Kept from solve to solve, so that its vectors keep their capacity.
class KernelSolver {
 public:
  /// Collective. @returns whether the kernels serve (PairProblem::take).
  bool take(const ContactProblem& problem, SweepStep step) { return pairs_.take(problem, step); }
  const PairProblem& pairs() const { return pairs_; }
  /// Collective. Solves the @p problem that was taken, from @p lambda.
  SolverReport solve(const ContactProblem& problem, const Stop& stop, const KernelMethod& method,
                     Vec lambda);

 private:
  PairProblem pairs_;
  PairIteration iteration_;
};

}  // namespace scree
