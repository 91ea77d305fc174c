#include "scree/problem/friction_lcp.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace scree {
namespace {

/// Directions of friction of a cone of @p dim.
int n_directions(int dim, int directions) {
  if (dim == 1) return 0;
  return dim == 2 ? 2 : directions;
}

/// Rows of the LCP of a cone of @p dim.
int n_rows(int dim, int directions) {
  return dim == 1 ? 1 : n_directions(dim, directions) + 2;
}

PetscInt first_row(Mat matrix, bool column = false) {
  PetscInt first = 0;
  SCREE_PETSC(column ? MatGetOwnershipRangeColumn(matrix, &first, nullptr)
                     : MatGetOwnershipRange(matrix, &first, nullptr));
  return first;
}

void set(Mat matrix, PetscInt row, PetscInt column, double value) {
  SCREE_PETSC(MatSetValue(matrix, row, column, value, INSERT_VALUES));
}

void assemble(Mat matrix) {
  SCREE_PETSC(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  SCREE_PETSC(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
}

/// lambda = spread x.
petsc::Matrix make_spread(const ContactProblem& problem, int directions, PetscInt local_columns) {
  petsc::Matrix spread;
  const auto rows = static_cast<PetscInt>(problem.cones.rows());
  SCREE_PETSC(MatCreateAIJ(problem.comm, rows, local_columns, PETSC_DETERMINE, PETSC_DETERMINE,
                           directions, nullptr, 0, nullptr, spread.out()));
  PetscInt row = first_row(spread.get());
  PetscInt column = first_row(spread.get(), true);
  for (std::size_t i = 0; i < problem.cones.count(); ++i) {
    const int dim = problem.cones.dim(i);
    const int count = n_directions(dim, directions);
    set(spread.get(), row, column, 1.0);
    for (int k = 0; k < count; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / count;
      set(spread.get(), row + 1, column + 1 + k, std::cos(angle));
      if (dim == 3) set(spread.get(), row + 2, column + 1 + k, std::sin(angle));
    }
    row += dim;
    column += n_rows(dim, directions);
  }
  assemble(spread.get());
  return spread;
}

/// The last row and column of each contact: mu, -e^T and e, over the mass.
petsc::Matrix make_slack(const ContactProblem& problem, int directions, PetscInt local_rows) {
  petsc::Matrix slack;
  SCREE_PETSC(MatCreateAIJ(problem.comm, local_rows, local_rows, PETSC_DETERMINE, PETSC_DETERMINE,
                           directions + 2, nullptr, 0, nullptr, slack.out()));
  const std::vector<double>& mass = cone_scales(problem);
  const std::vector<double> mu = friction_coefficients(problem.cones);
  PetscInt row = first_row(slack.get());
  for (std::size_t i = 0; i < problem.cones.count(); ++i) {
    const int dim = problem.cones.dim(i);
    const int count = n_directions(dim, directions);
    const PetscInt last = row + count + 1;
    if (count > 0) set(slack.get(), last, row, mu[i] / mass[i]);
    for (int k = 1; k <= count; ++k) {
      set(slack.get(), last, row + k, -1.0 / mass[i]);
      set(slack.get(), row + k, last, 1.0 / mass[i]);
    }
    row += n_rows(dim, directions);
  }
  assemble(slack.get());
  return slack;
}

/// Directions stand for the disc of one friction coefficient.
void require_plain_friction(const ContactProblem& problem) {
  for (const ConeBatch& batch : problem.cones.batches) {
    if (batch.type <= cones::kTypeOf<cones::Pyramid>) continue;
    throw InputError(
        fmt::format("{}: the friction LCP knows contacts of 1 to 3 rows, and there are {} here",
                    problem.origin, cones::kNames[static_cast<std::size_t>(batch.type)]));
  }
}

}  // namespace

FrictionLcp::FrictionLcp(const ContactProblem& problem, int directions) {
  require_plain_friction(problem);
  lcp_.comm = problem.comm;
  lcp_.origin = problem.origin + ", friction LCP";
  lcp_.delassus.symmetric = false;
  for (std::size_t i = 0; i < problem.cones.count(); ++i) {
    for (int k = 0; k < n_rows(problem.cones.dim(i), directions); ++k)
      lcp_.cones.append(cones::HalfLine{});
  }
  const auto rows = static_cast<PetscInt>(lcp_.cones.rows());
  spread_ = make_spread(problem, directions, rows);
  const petsc::Matrix n = assemble_delassus(problem);
  SCREE_PETSC(MatPtAP(n.get(), spread_.get(), MAT_INITIAL_MATRIX, PETSC_DEFAULT,
                      lcp_.delassus.matrix.out()));
  const petsc::Matrix slack = make_slack(problem, directions, rows);
  SCREE_PETSC(MatAXPY(lcp_.delassus.matrix.get(), 1.0, slack.get(), DIFFERENT_NONZERO_PATTERN));
  lcp_.r = petsc::make_vector(problem.comm, lcp_.cones.rows());
  SCREE_PETSC(MatMultTranspose(spread_.get(), problem.r.get(), lcp_.r.get()));
}

void FrictionLcp::to_contacts(Vec x, Vec lambda) const {
  SCREE_PETSC(MatMult(spread_.get(), x, lambda));
}

}  // namespace scree
