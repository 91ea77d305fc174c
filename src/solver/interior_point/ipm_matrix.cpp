#include "ipm_matrix.hpp"

#include "scree/base/log_stage.hpp"
#include "solver/linear/contact_space.hpp"

namespace scree::ipm {

ContactMatrix::ContactMatrix(const ContactProblem& problem, const Units& units)
    : cones_(problem.cones),
      rows_(petsc::duplicate(problem.r.get())),
      image_(petsc::duplicate(problem.r.get())),
      operator_(contact_space::copy_of_delassus(problem)) {
  to_vec(units.inverse_t, rows_.get());
  SCREE_PETSC(MatDiagonalScale(operator_.get(), rows_.get(), rows_.get()));
  SCREE_PETSC(MatScale(operator_.get(), 1.0 / units.inverse_mass));
  SCREE_PETSC(MatDuplicate(operator_.get(), MAT_COPY_VALUES, sum_.out()));
  std::vector<PetscInt> sizes;
  for (std::size_t i = 0; i < cones_.count(); ++i) sizes.push_back(cones_.dim(i));
  SCREE_PETSC(
      MatSetVariableBlockSizes(sum_.get(), static_cast<PetscInt>(sizes.size()), sizes.data()));
}

void ContactMatrix::multiply(const Points& x, Points& result) {
  to_vec(x, rows_.get());
  SCREE_PETSC(MatMult(operator_.get(), rows_.get(), image_.get()));
  result = to_rows(image_.get());
}

Mat ContactMatrix::plus(const std::vector<double>& blocks) {
  const LogStage stage(Stage::matrix_values);
  SCREE_PETSC(MatCopy(operator_.get(), sum_.get(), SAME_NONZERO_PATTERN));
  contact_space::add_to_diagonal(sum_.get(), cones_, blocks);
  return sum_.get();
}

bool ContactMatrix::solve(LinearSolver& linear, const Points& rhs, double absolute, Points& x) {
  to_vec(rhs, rows_.get());
  const bool solved = linear.solve(rows_.get(), image_.get(), absolute);
  x = to_rows(image_.get());
  return solved;
}

}  // namespace scree::ipm
