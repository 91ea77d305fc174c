#include "scree/solver/needs.hpp"

#include <fmt/format.h>

#include "scree/base/parallel.hpp"

namespace scree {
namespace {

/// Whether the diagonal of this rank's rows of @p matrix is positive, but for rows of zeros.
bool has_positive_diagonal(Mat matrix) {
  PetscInt first = 0;
  PetscInt end = 0;
  SCREE_PETSC(MatGetOwnershipRange(matrix, &first, &end));
  bool positive = true;
  for (PetscInt row = first; row < end; ++row) {
    PetscInt n = 0;
    const PetscInt* columns = nullptr;
    const double* values = nullptr;
    SCREE_PETSC(MatGetRow(matrix, row, &n, &columns, &values));
    double diagonal = 0.0;
    bool zeros = true;
    for (PetscInt k = 0; k < n; ++k) {
      if (columns[k] == row) diagonal = values[k];
      zeros = zeros && values[k] == 0.0;
    }
    positive = positive && (zeros || diagonal > 0.0);
    SCREE_PETSC(MatRestoreRow(matrix, row, &n, &columns, &values));
  }
  return positive;
}

}  // namespace

ProblemTraits traits_of(const ContactProblem& problem) {
  ProblemTraits traits;
  traits.friction = problem.friction;
  const bool cones = problem.cones.rows() > problem.cones.count();
  // J M^-1 J^T has a positive diagonal by its form
  const bool faulty =
      !problem.delassus.is_product() && !has_positive_diagonal(problem.delassus.matrix.get());
  traits.half_lines = sum_over_ranks(problem.comm, cones ? 1 : 0) == 0;
  traits.positive_diagonal = sum_over_ranks(problem.comm, faulty ? 1 : 0) == 0;
  PetscInt rows = 0;
  SCREE_PETSC(VecGetSize(problem.r.get(), &rows));
  traits.rows = rows;
  return traits;
}

std::string unmet(const Needs& needs, const ProblemTraits& traits) {
  if (needs.exact_friction && traits.friction == FrictionLaw::associated && !traits.half_lines) {
    return "solves exact friction only, not the associated law";
  }
  if (needs.round_cones && traits.friction == FrictionLaw::box && !traits.half_lines) {
    return "solves friction by cones, not by the box";
  }
  if (needs.half_lines && !traits.half_lines) {
    return "solves problems without friction only (half lines: LCPs), and this one has friction "
           "cones";
  }
  if (needs.positive_diagonal && !traits.positive_diagonal) {
    return "divides by the diagonal of the matrix, which is zero or negative in a row here";
  }
  if (needs.most_rows > 0 && traits.rows > needs.most_rows) {
    return fmt::format("stores the whole matrix, of up to {} rows, and this problem has {}",
                       needs.most_rows, traits.rows);
  }
  return {};
}

}  // namespace scree
