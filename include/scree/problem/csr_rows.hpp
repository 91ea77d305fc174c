#pragma once

/// Local rows of a matrix, written one after another, and the PETSc matrix made of them.

#include <array>
#include <numeric>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/base/petsc.hpp"
#include "scree/base/petsc_count.hpp"

namespace scree {

/// Compressed rows with global columns, ascending in each row.
struct CsrRows {
  std::vector<PetscInt> start{0};
  std::vector<PetscInt> column;
  std::vector<double> value;

  void reserve(std::size_t rows, std::size_t entries) {
    start.reserve(rows + 1);
    column.reserve(entries);
    value.reserve(entries);
  }
  void add(PetscInt global_column, double entry) {
    column.push_back(global_column);
    value.push_back(entry);
  }
  /// Entries at @p first_column and the columns after it.
  void add_run(PetscInt first_column, const Vec6& entries) {
    std::array<PetscInt, 6> columns;
    std::iota(columns.begin(), columns.end(), first_column);
    column.insert(column.end(), columns.begin(), columns.end());
    value.insert(value.end(), entries.begin(), entries.end());
  }
  void end_row() { start.push_back(static_cast<PetscInt>(column.size())); }
};

/// Collective. A MATAIJ of these rows, with @p local_columns columns of this rank. @throws Failure
/// for more entries than PETSc counts on a rank.
inline petsc::Matrix make_matrix(MPI_Comm comm, const CsrRows& rows, PetscInt local_columns) {
  petsc::require_countable_shares(comm, static_cast<std::int64_t>(rows.column.size()),
                                  "entries of a matrix");
  petsc::Matrix matrix;
  SCREE_PETSC(MatCreate(comm, matrix.out()));
  const auto n_rows = static_cast<PetscInt>(rows.start.size() - 1);
  SCREE_PETSC(MatSetSizes(matrix.get(), n_rows, local_columns, PETSC_DETERMINE, PETSC_DETERMINE));
  SCREE_PETSC(MatSetType(matrix.get(), MATAIJ));
  // Each applies to its own type: one rank makes a MATSEQAIJ, several a MATMPIAIJ.
  SCREE_PETSC(MatSeqAIJSetPreallocationCSR(matrix.get(), rows.start.data(), rows.column.data(),
                                           rows.value.data()));
  SCREE_PETSC(MatMPIAIJSetPreallocationCSR(matrix.get(), rows.start.data(), rows.column.data(),
                                           rows.value.data()));
  return matrix;
}

}  // namespace scree
