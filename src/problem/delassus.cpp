#include <algorithm>
#include <optional>

#include "csr_view.hpp"
#include "frame_products.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/petsc_count.hpp"
#include "scree/problem/body_rows.hpp"
#include "scree/problem/cone_blocks.hpp"
#include "scree/problem/matrix_form.hpp"

namespace scree {
namespace {

/// sum_e J_e M^-1 J_e^T.
std::vector<double> blocks_from_bodies(const BlockRows& rows, const Cones& cones) {
  std::vector<double> blocks(size_of_blocks(cones), 0.0);
  for_each_block(cones, blocks.data(), [&]<int kDim>(const ConePlace& at, auto sum) {
    for_each_entry<kDim>(rows, at.number, [&](const auto& j, std::int32_t body) {
      const BodyBlock<kDim> response =
          j * rows.inverse_mass[static_cast<std::size_t>(body)].transpose();
      sum += j * response.transpose();
    });
  });
  return blocks;
}

/// sum_e B_e B_e^T.
std::vector<double> blocks_from_rows(const BodyRows& rows, const Cones& cones) {
  std::vector<double> blocks(size_of_blocks(cones), 0.0);
  for_each_block(cones, blocks.data(), [&]<int kDim>(const ConePlace& at, auto sum) {
    for_each_entry<kDim>(rows.pattern, rows.values, at.number,
                         [&](const auto& b, std::int32_t /*body*/) { sum += b * b.transpose(); });
  });
  return blocks;
}

/// Adds R to diagonal blocks.
void add_compliance(const ContactProblem& problem, std::vector<double>& blocks) {
  if (problem.compliance.empty()) return;
  double* block = blocks.data();
  for (std::size_t i = 0; i < problem.cones.count(); ++i) {
    const std::ptrdiff_t dim = problem.cones.dim(i);
    for (std::ptrdiff_t k = 0; k < dim; ++k) {
      block[k * (dim + 1)] += problem.compliance[problem.cones.row(i) + k];
    }
    block += dim * dim;
  }
}

std::vector<double> blocks_from_matrix(Mat matrix, const Cones& cones) {
  std::vector<double> blocks(size_of_blocks(cones), 0.0);
  const LocalRows local(matrix);
  const CsrView& rows = local.inner.value();
  PetscInt first_row = 0;
  SCREE_PETSC(MatGetOwnershipRange(matrix, &first_row, nullptr));
  double* block = blocks.data();
  for (std::size_t i = 0; i < cones.count(); ++i) {
    const std::ptrdiff_t dim = cones.dim(i);
    const PetscInt start = cones.offset[i] + first_row - local.first_column;
    for (std::int32_t k = 0; k < dim; ++k) {
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

namespace {

/// Entries of J M^-1 J^T in this rank's rows, where no two cones are of the same bodies; else there
/// are fewer. A cone's rows couple with all rows of its bodies. Collective.
std::int64_t most_entries(const ContactProblem& problem) {
  const BodyPattern& pattern = problem.delassus.blocks->pattern;
  std::vector<double> rows_of(pattern.n_bodies(), 0.0);
  for (std::size_t i = 0; i < pattern.n_cones(); ++i) {
    for (const std::int32_t body : pattern.bodies(i)) rows_of[body] += problem.cones.dim(i);
  }
  BodyExchange& exchange = body_exchange(problem);
  exchange.add_to_owners(rows_of);
  exchange.to_ghosts(rows_of);
  double entries = 0.0;
  for (std::size_t i = 0; i < pattern.n_cones(); ++i) {
    double coupled = problem.cones.dim(i);
    for (const std::int32_t body : pattern.bodies(i))
      coupled += rows_of[body] - problem.cones.dim(i);
    entries += problem.cones.dim(i) * coupled;
  }
  return static_cast<std::int64_t>(entries);
}

/// J M^-1 J^T
petsc::Matrix form_product(const ContactProblem& problem) {
  if (problem.delassus.blocks) {
    petsc::require_countable_shares(problem.comm, most_entries(problem),
                                    "entries of the matrix of the contacts");
  }
  petsc::Matrix transposed;
  petsc::Matrix response;  // M^-1 J^T
  petsc::Matrix result;
  SCREE_PETSC(MatTranspose(jacobian(problem), MAT_INITIAL_MATRIX, transposed.out()));
  SCREE_PETSC(MatMatMult(inverse_mass(problem), transposed.get(), MAT_INITIAL_MATRIX, PETSC_DEFAULT,
                         response.out()));
  SCREE_PETSC(MatMatMult(jacobian(problem), response.get(), MAT_INITIAL_MATRIX, PETSC_DEFAULT,
                         result.out()));
  return result;
}

/// Whether any rank has soft contacts. Collective.
bool is_soft(const ContactProblem& problem) {
  return max_over_ranks(problem.comm, problem.compliance.empty() ? 0 : 1) != 0;
}

}  // namespace

petsc::Matrix assemble_delassus(const ContactProblem& problem) {
  const bool soft = is_soft(problem);
  petsc::Matrix n;
  if (problem.delassus.is_product()) {
    n = form_product(problem);
  } else if (soft) {
    SCREE_PETSC(MatDuplicate(problem.delassus.matrix.get(), MAT_COPY_VALUES, n.out()));
  } else {
    n = share(problem.delassus.matrix.get());
  }
  if (!soft) return n;
  const petsc::Vector diagonal = petsc::duplicate(problem.r.get());
  std::copy(problem.compliance.begin(), problem.compliance.end(),
            petsc::View(diagonal.get()).data());
  SCREE_PETSC(MatDiagonalSet(n.get(), diagonal.get(), ADD_VALUES));
  return n;
}

const std::vector<double>& delassus_diagonal_blocks(const ContactProblem& problem) {
  std::optional<std::vector<double>>& kept = problem.scales->diagonal_blocks;
  if (kept) return *kept;
  if (problem.delassus.blocks) {
    kept = blocks_from_bodies(*problem.delassus.blocks, problem.cones);
    add_compliance(problem, *kept);
  } else if (has_body_rows(problem)) {
    kept = blocks_from_rows(*body_rows(problem), problem.cones);
    add_compliance(problem, *kept);
  } else {
    const petsc::Matrix n = assemble_delassus(problem);
    kept = blocks_from_matrix(n.get(), problem.cones);
  }
  return *kept;
}

}  // namespace scree
