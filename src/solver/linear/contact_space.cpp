#include "scree/solver/linear/contact_space.hpp"

#include <array>

namespace scree::contact_space {

petsc::Matrix copy_of_delassus(const ContactProblem& problem) {
  const petsc::Matrix n = assemble_delassus(problem);
  petsc::Matrix copy;
  SCREE_PETSC(MatDuplicate(n.get(), MAT_COPY_VALUES, copy.out()));
  SCREE_PETSC(MatSetOption(copy.get(), MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  SCREE_PETSC(MatSetOption(copy.get(), MAT_NEW_NONZERO_LOCATIONS, PETSC_TRUE));
  SCREE_PETSC(MatSetOption(copy.get(), MAT_IGNORE_ZERO_ENTRIES, PETSC_FALSE));
  add_to_diagonal(copy.get(), problem.cones,
                  std::vector<Mat3>(problem.cones.count(), Mat3::Zero()));
  return copy;
}

void add_to_diagonal(Mat matrix, const Cones& cones, const std::vector<Mat3>& blocks) {
  PetscInt first = 0;
  SCREE_PETSC(MatGetOwnershipRange(matrix, &first, nullptr));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const int dim = cones.dim(i);
    std::array<PetscInt, 3> rows{};
    std::array<double, 9> values{};
    for (int k = 0; k < dim; ++k) {
      rows[static_cast<std::size_t>(k)] = first + cones.offset[i] + k;
      for (int l = 0; l < dim; ++l) values[static_cast<std::size_t>(k * dim + l)] = blocks[i](k, l);
    }
    SCREE_PETSC(
        MatSetValues(matrix, dim, rows.data(), dim, rows.data(), values.data(), ADD_VALUES));
  }
  SCREE_PETSC(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  SCREE_PETSC(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
}

void to_rows(const std::vector<Vec3>& x, const Cones& cones, Vec rows) {
  const petsc::View view(rows);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto first = static_cast<std::size_t>(cones.offset[i]);
    for (int k = 0; k < cones.dim(i); ++k) view[first + static_cast<std::size_t>(k)] = x[i][k];
  }
}

void from_rows(Vec rows, const Cones& cones, std::vector<Vec3>& x) {
  const petsc::ConstView view(rows);
  x.assign(cones.count(), Vec3::Zero());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto first = static_cast<std::size_t>(cones.offset[i]);
    for (int k = 0; k < cones.dim(i); ++k) x[i][k] = view[first + static_cast<std::size_t>(k)];
  }
}

}  // namespace scree::contact_space
