#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "csr_view.hpp"
#include "scree/problem/body_rows.hpp"
#include "scree/problem/contact_problem.hpp"

namespace scree {
namespace {

std::size_t size_of_blocks(const Cones& cones) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < cones.count(); ++i) {
    size += static_cast<std::size_t>(cones.dim(i) * cones.dim(i));
  }
  return size;
}

/// N_ii = sum_b B_ib B_ib^T.
std::vector<double> blocks_from_bodies(const BodyRows& rows, const Cones& cones) {
  std::vector<double> blocks(size_of_blocks(cones), 0.0);
  double* block = blocks.data();
  for (std::size_t i = 0; i < cones.count(); ++i) {
    const int dim = cones.dim(i);
    for (std::int32_t e = rows.first[i]; e < rows.first[i + 1]; ++e) {
      const double* b = rows.block(e);
      for (int k = 0; k < dim; ++k) {
        for (int l = 0; l < dim; ++l) {
          double sum = 0.0;
          for (int c = 0; c < kBodyDofs; ++c) sum += b[k * kBodyDofs + c] * b[l * kBodyDofs + c];
          block[k * dim + l] += sum;
        }
      }
    }
    block += dim * dim;
  }
  return blocks;
}

std::vector<double> blocks_from_matrix(Mat matrix, const Cones& cones) {
  std::vector<double> blocks(size_of_blocks(cones), 0.0);
  const LocalRows local(matrix);
  const CsrView& rows = *local.inner;
  PetscInt first_row = 0;
  SCREE_PETSC(MatGetOwnershipRange(matrix, &first_row, nullptr));
  double* block = blocks.data();
  for (std::size_t i = 0; i < cones.count(); ++i) {
    const int dim = cones.dim(i);
    const PetscInt start = cones.offset[i] + first_row - local.first_column;
    for (int k = 0; k < dim; ++k) {
      const PetscInt row = cones.offset[i] + k;
      for (PetscInt e = rows.row_start[row]; e < rows.row_start[row + 1]; ++e) {
        const PetscInt l = rows.column[e] - start;
        if (l >= 0 && l < dim) block[k * dim + l] = rows.value[e];
      }
    }
    block += dim * dim;
  }
  return blocks;
}

}  // namespace

petsc::Matrix assemble_delassus(const ContactProblem& problem) {
  const DelassusOperator& n = problem.delassus;
  if (!n.is_product()) {
    SCREE_PETSC(PetscObjectReference(reinterpret_cast<PetscObject>(n.matrix.get())));
    return petsc::Matrix(n.matrix.get());
  }
  petsc::Matrix transposed;
  petsc::Matrix response;  // M^-1 J^T
  petsc::Matrix result;
  SCREE_PETSC(MatTranspose(n.jacobian.get(), MAT_INITIAL_MATRIX, transposed.out()));
  SCREE_PETSC(MatMatMult(n.inverse_mass.get(), transposed.get(), MAT_INITIAL_MATRIX, PETSC_DEFAULT,
                         response.out()));
  SCREE_PETSC(MatMatMult(n.jacobian.get(), response.get(), MAT_INITIAL_MATRIX, PETSC_DEFAULT,
                         result.out()));
  return result;
}

std::vector<double> delassus_diagonal_blocks(const ContactProblem& problem) {
  if (has_body_rows(problem)) return blocks_from_bodies(*body_rows(problem), problem.cones);
  const petsc::Matrix n = assemble_delassus(problem);
  return blocks_from_matrix(n.get(), problem.cones);
}

namespace {

/// The largest absolute value in the rows of each cone of a matrix.
std::vector<double> largest_entries(Mat matrix, const Cones& cones) {
  const LocalRows local(matrix);
  std::vector<double> largest(cones.count(), 0.0);
  for (const std::optional<CsrView>* part : {&local.inner, &local.outer}) {
    if (!*part) continue;
    for (std::size_t i = 0; i < largest.size(); ++i) {
      for (PetscInt e = (*part)->row_start[cones.offset[i]];
           e < (*part)->row_start[cones.offset[i + 1]]; ++e) {
        largest[i] = std::max(largest[i], std::abs((*part)->value[e]));
      }
    }
  }
  return largest;
}

}  // namespace

std::vector<double> cone_scales(const ContactProblem& problem) {
  const std::vector<double> blocks = delassus_diagonal_blocks(problem);
  std::vector<double> largest;
  if (!problem.delassus.is_product()) {
    largest = largest_entries(problem.delassus.matrix.get(), problem.cones);
  }
  std::vector<double> rho(problem.cones.count(), 1.0);
  const double* block = blocks.data();
  for (std::size_t i = 0; i < rho.size(); ++i) {
    const int dim = problem.cones.dim(i);
    double trace = 0.0;
    for (int k = 0; k < dim; ++k) trace += block[k * (dim + 1)];
    if (trace != 0.0) {
      rho[i] = dim / std::abs(trace);
    } else if (!largest.empty() && largest[i] > 0.0) {
      rho[i] = 1.0 / largest[i];
    }
    block += dim * dim;
  }
  return rho;
}

}  // namespace scree
