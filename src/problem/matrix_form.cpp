#include "scree/problem/matrix_form.hpp"

#include "scree/base/log_stage.hpp"
#include "scree/problem/body_rows.hpp"

namespace scree {

ContactProblem in_matrix_form(const ContactProblem& problem) {
  const LogStage stage(Stage::matrix_values);
  ContactProblem face;
  face.comm = problem.comm;
  face.delassus.jacobian = share(jacobian(problem));
  face.delassus.inverse_mass = share(inverse_mass(problem));
  face.delassus.symmetric = problem.delassus.symmetric;
  face.compliance = problem.compliance;
  face.r = petsc::copy(problem.r.get());
  face.v_free = petsc::copy(problem.v_free.get());
  face.cones = problem.cones;
  face.number_in_file = problem.number_in_file;
  face.rolling_length = problem.rolling_length;
  face.origin = problem.origin;
  if (face.delassus.symmetric) {
    face.forms->body_rows = std::make_shared<const BodyRows>(product_with_factor(
        face.comm, face.delassus.jacobian.get(), face.delassus.inverse_mass.get(), face.cones));
  }
  return face;
}

petsc::Matrix share(Mat matrix) {
  if (matrix != nullptr) SCREE_PETSC(PetscObjectReference(reinterpret_cast<PetscObject>(matrix)));
  return petsc::Matrix(matrix);
}

}  // namespace scree
