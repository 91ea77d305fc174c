#pragma once

/// Read access to the local rows of a MATAIJ: the part within this rank's columns and the part
/// beyond, each as compressed rows.

#include <optional>

#include "scree/base/petsc.hpp"

namespace scree {

/// The arrays of one MATSEQAIJ for the life of the view. Not collective.
class CsrView {
 public:
  explicit CsrView(Mat matrix) : matrix_(matrix) {
    PetscBool done = PETSC_FALSE;
    SCREE_PETSC(
        MatGetRowIJ(matrix_, 0, PETSC_FALSE, PETSC_FALSE, &n_rows_, &row_start, &column, &done));
    if (!done) throw Failure("a matrix of a contact problem is not of PETSc's type AIJ");
    SCREE_PETSC(MatSeqAIJGetArrayRead(matrix_, &value));
  }
  CsrView(const CsrView&) = delete;
  CsrView& operator=(const CsrView&) = delete;
  ~CsrView() {
    PetscBool done = PETSC_FALSE;
    static_cast<void>(MatSeqAIJRestoreArrayRead(matrix_, &value));
    static_cast<void>(MatRestoreRowIJ(matrix_, 0, PETSC_FALSE, PETSC_FALSE, &n_rows_, &row_start,
                                      &column, &done));
  }

  PetscInt n_rows() const { return n_rows_; }

  const PetscInt* row_start = nullptr;
  const PetscInt* column = nullptr;  ///< columns of the entries, within the view's own part
  const double* value = nullptr;

 private:
  Mat matrix_;
  PetscInt n_rows_ = 0;
};

/// Both parts of the local rows. Not collective.
class LocalRows {
 public:
  explicit LocalRows(Mat matrix) {
    SCREE_PETSC(MatGetOwnershipRangeColumn(matrix, &first_column, nullptr));
    PetscBool parallel = PETSC_FALSE;
    SCREE_PETSC(
        PetscObjectBaseTypeCompare(reinterpret_cast<PetscObject>(matrix), MATMPIAIJ, &parallel));
    if (!parallel) {
      inner.emplace(matrix);
      return;
    }
    Mat diagonal = nullptr;
    Mat off_diagonal = nullptr;
    SCREE_PETSC(MatMPIAIJGetSeqAIJ(matrix, &diagonal, &off_diagonal, &outer_columns));
    inner.emplace(diagonal);
    outer.emplace(off_diagonal);
    SCREE_PETSC(MatGetLocalSize(off_diagonal, nullptr, &n_outer_columns));
  }

  std::optional<CsrView> inner;  ///< columns relative to first_column
  std::optional<CsrView> outer;  ///< columns index outer_columns; absent on one rank
  PetscInt first_column = 0;
  const PetscInt* outer_columns = nullptr;  ///< global, ascending
  PetscInt n_outer_columns = 0;
};

}  // namespace scree
