#pragma once

/// A problem of half lines whole on every rank, in the scale of each row, so that one ratio is of
/// the size of another:
///
///     y = A x + b,   x = lambda / s,   y = s u,   A = s N s,   b = s r,   s_i = sqrt(rho_i)
///
/// Pivoting methods see it so, and pivot alike on all ranks.

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "scree/problem/contact_problem.hpp"
#include "solver/solve_progress.hpp"

namespace scree::lcp {

struct DenseLcp {
  Eigen::MatrixXd a;
  Eigen::VectorXd b;
  Eigen::VectorXd s;
};

/// Collective. @p rho as of cone_scales().
DenseLcp dense_lcp(const ContactProblem& problem, const std::vector<double>& rho);

/// This rank's rows of lambda = s x. Not collective.
void write_share(const DenseLcp& lcp, const Eigen::VectorXd& x, Vec lambda);

/// A solve by pivots, of which there are 50 a row at most. @p pivot(problem, progress) does them.
/// Collective.
template <class Pivot>
SolverReport solve_by_pivots(std::string_view name, const ContactProblem& problem, const Stop& stop,
                             Vec lambda, Pivot&& pivot) {
  constexpr std::int64_t kPivotsPerRow = 50;
  PetscInt rows = 0;
  SCREE_PETSC(VecGetSize(lambda, &rows));
  SolveProgress progress(problem, stop, std::max<std::int64_t>(kPivotsPerRow * rows, 100), lambda);
  progress.report().solver = name;
  if (!progress.done()) pivot(problem, progress);
  return progress.finish(lambda);
}

/// Steps of @p method until it is done(), or the solve's limit or time is at its end. @p entries
/// are those that a step changes: time is looked at each few hundredths of a second. @returns the
/// pivots after @p pivots that were done before. Collective.
template <class Method>
std::int64_t pivots_of(Method& method, Eigen::Index entries, std::int64_t pivots,
                       SolveProgress& progress) {
  constexpr std::int64_t kEntriesPerLook = 10'000'000;
  const std::int64_t between_looks = kEntriesPerLook / (entries + 1) + 1;
  while (!method.done() && pivots < progress.limit()) {
    method.step();
    ++pivots;
    if (pivots % between_looks == 0 && progress.check_time(pivots)) break;
  }
  return pivots;
}

/// Measures @p x, found after @p pivots. Collective. @returns whether the solve is at its end.
bool is_settled(const DenseLcp& lcp, const Eigen::VectorXd& x, std::int64_t pivots,
                SolveProgress& progress);

}  // namespace scree::lcp
