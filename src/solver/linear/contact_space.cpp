#include "contact_space.hpp"

#include <array>
#include <numeric>

#include "scree/problem/cone_blocks.hpp"

namespace scree::contact_space {

petsc::Matrix copy_of_delassus(const ContactProblem& problem) {
  const petsc::Matrix n = assemble_delassus(problem);
  petsc::Matrix copy;
  SCREE_PETSC(MatDuplicate(n.get(), MAT_COPY_VALUES, copy.out()));
  SCREE_PETSC(MatSetOption(copy.get(), MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  SCREE_PETSC(MatSetOption(copy.get(), MAT_NEW_NONZERO_LOCATIONS, PETSC_TRUE));
  SCREE_PETSC(MatSetOption(copy.get(), MAT_IGNORE_ZERO_ENTRIES, PETSC_FALSE));
  add_to_diagonal(copy.get(), problem.cones,
                  std::vector<double>(size_of_blocks(problem.cones), 0.0));
  return copy;
}

void add_to_diagonal(Mat matrix, const Cones& cones, const std::vector<double>& blocks) {
  PetscInt first = 0;
  SCREE_PETSC(MatGetOwnershipRange(matrix, &first, nullptr));
  for_each_block(cones, blocks.data(), [&]<int kDim>(const ConePlace& at, const auto& block) {
    std::array<PetscInt, kDim> rows{};
    std::iota(rows.begin(), rows.end(), first + static_cast<PetscInt>(at.row));
    SCREE_PETSC(
        MatSetValues(matrix, kDim, rows.data(), kDim, rows.data(), block.data(), ADD_VALUES));
  });
  SCREE_PETSC(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  SCREE_PETSC(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
}

}  // namespace scree::contact_space
