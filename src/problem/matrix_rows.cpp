#include "scree/problem/matrix_rows.hpp"

#include <algorithm>
#include <cmath>

#include "csr_view.hpp"

namespace scree {

MatrixRows::MatrixRows(Mat matrix, const Cones& cones)
    : offset_(cones.offset), coupling_(cones.count(), 0.0) {
  {
    const LocalRows local(matrix);
    const CsrView& rows = *local.inner;
    start_.assign(rows.row_start, rows.row_start + cones.rows() + 1);
    column_.assign(rows.column, rows.column + start_.back());
    value_.assign(rows.value, rows.value + start_.back());
  }
  read_outer(matrix, cones);
}

void MatrixRows::read_outer(Mat matrix, const Cones& cones) {
  const LocalRows local(matrix);
  if (!local.outer) return;
  const CsrView& rows = *local.outer;
  for (std::size_t i = 0; i < cones.count(); ++i) {
    for (int k = 0; k < cones.dim(i); ++k) {
      const std::int32_t row = cones.offset[i] + k;
      double sum = 0.0;
      for (PetscInt e = rows.row_start[row]; e < rows.row_start[row + 1]; ++e) {
        outer_row_.push_back(row);
        outer_column_.push_back(rows.column[e]);
        outer_value_.push_back(rows.value[e]);
        sum += std::abs(rows.value[e]);
      }
      coupling_[i] = std::max(coupling_[i], sum);
    }
  }
  petsc::Vector layout;
  SCREE_PETSC(MatCreateVecs(matrix, layout.out(), nullptr));
  ghost_ = petsc::make_vector(PETSC_COMM_SELF, local.n_outer_columns);
  petsc::IndexSet from;
  SCREE_PETSC(ISCreateGeneral(PETSC_COMM_SELF, local.n_outer_columns, local.outer_columns,
                              PETSC_COPY_VALUES, from.out()));
  SCREE_PETSC(VecScatterCreate(layout.get(), from.get(), ghost_.get(), nullptr, scatter_.out()));
}

void MatrixRows::add_outer(Vec lambda, std::vector<double>& u) const {
  if (!scatter_) return;
  SCREE_PETSC(
      VecScatterBegin(scatter_.get(), lambda, ghost_.get(), INSERT_VALUES, SCATTER_FORWARD));
  SCREE_PETSC(VecScatterEnd(scatter_.get(), lambda, ghost_.get(), INSERT_VALUES, SCATTER_FORWARD));
  const petsc::ConstView ghost(ghost_.get());
  for (std::size_t e = 0; e < outer_value_.size(); ++e) {
    u[outer_row_[e]] += outer_value_[e] * ghost[outer_column_[e]];
  }
}

}  // namespace scree
