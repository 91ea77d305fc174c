#include "dense_lcp.hpp"

#include <cmath>

#include "scree/base/whole_vector.hpp"

namespace scree::lcp {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Collective. The whole of @p v on every rank.
VectorXd whole_of(Vec v) {
  const std::vector<double> all = whole(v);
  return Eigen::Map<const VectorXd>(all.data(), static_cast<Index>(all.size()));
}

/// Collective. The whole of N on every rank.
MatrixXd whole_delassus(const ContactProblem& problem) {
  const petsc::Matrix n = assemble_delassus(problem);
  PetscInt rows = 0;
  SCREE_PETSC(MatGetSize(n.get(), &rows, nullptr));
  petsc::IndexSet all;
  SCREE_PETSC(ISCreateStride(PETSC_COMM_SELF, rows, 0, 1, all.out()));
  const IS set = all.get();
  Mat* parts = nullptr;
  SCREE_PETSC(MatCreateSubMatrices(n.get(), 1, &set, &set, MAT_INITIAL_MATRIX, &parts));
  MatrixXd a = MatrixXd::Zero(rows, rows);
  for (PetscInt i = 0; i < rows; ++i) {
    PetscInt count = 0;
    const PetscInt* columns = nullptr;
    const double* values = nullptr;
    SCREE_PETSC(MatGetRow(parts[0], i, &count, &columns, &values));
    for (PetscInt k = 0; k < count; ++k) a(i, columns[k]) = values[k];
    SCREE_PETSC(MatRestoreRow(parts[0], i, &count, &columns, &values));
  }
  SCREE_PETSC(MatDestroySubMatrices(1, &parts));
  return a;
}

}  // namespace

DenseLcp dense_lcp(const ContactProblem& problem, const std::vector<double>& rho) {
  const petsc::Vector root = petsc::duplicate(problem.r.get());
  {
    const petsc::View view(root.get());
    for (std::size_t i = 0; i < view.size(); ++i) view[i] = std::sqrt(rho[i]);
  }
  const VectorXd s = whole_of(root.get());
  return {.a = s.asDiagonal() * whole_delassus(problem) * s.asDiagonal(),
          .b = s.asDiagonal() * whole_of(problem.r.get()),
          .s = s};
}

void write_share(const DenseLcp& lcp, const VectorXd& x, Vec lambda) {
  PetscInt first = 0;
  SCREE_PETSC(VecGetOwnershipRange(lambda, &first, nullptr));
  const petsc::View view(lambda);
  for (std::size_t i = 0; i < view.size(); ++i) {
    const Index row = first + static_cast<Index>(i);
    view[i] = lcp.s[row] * x[row];
  }
}

bool is_settled(const DenseLcp& lcp, const VectorXd& x, std::int64_t pivots,
                SolveProgress& progress) {
  const petsc::Vector lambda = petsc::duplicate(progress.best());
  write_share(lcp, x, lambda.get());
  return progress.check(pivots, lambda.get());
}

}  // namespace scree::lcp
