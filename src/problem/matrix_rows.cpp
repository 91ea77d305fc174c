#include "scree/problem/matrix_rows.hpp"

#include <algorithm>
#include <cmath>

#include "csr_view.hpp"

namespace scree {

MatrixRows::MatrixRows(Mat matrix, const Cones& cones)
    : diagonal_(cones.count()), coupling_(cones.count(), 0.0) {
  read_inner(matrix, cones);
  read_outer(matrix, cones);
}

void MatrixRows::read_inner(Mat matrix, const Cones& cones) {
  const LocalRows local(matrix);
  const CsrView& rows = *local.inner;
  std::vector<std::int32_t> cone_of(cones.rows());
  for (std::size_t i = 0; i < cones.count(); ++i) {
    std::fill(cone_of.begin() + cones.offset[i], cone_of.begin() + cones.offset[i + 1],
              static_cast<std::int32_t>(i));
  }
  std::vector<std::int32_t> place(cones.count(), -1);  // of a column's block in the present row
  for (std::size_t i = 0; i < cones.count(); ++i) {
    const auto row_start = static_cast<std::int32_t>(column_.size());
    for (int k = 0; k < cones.dim(i); ++k) {
      const std::int32_t row = cones.offset[i] + k;
      for (PetscInt e = rows.row_start[row]; e < rows.row_start[row + 1]; ++e) {
        const auto c = static_cast<std::size_t>(rows.column[e]);
        const std::int32_t other = cone_of[c];
        std::int32_t& at = place[static_cast<std::size_t>(other)];
        if (at < row_start) {
          at = static_cast<std::int32_t>(column_.size());
          column_.push_back(other);
          values_.resize(values_.size() + 9, 0.0);
        }
        const std::int32_t l =
            static_cast<std::int32_t>(c) - cones.offset[static_cast<std::size_t>(other)];
        values_[static_cast<std::size_t>(9 * at + 3 * k + l)] = rows.value[e];
      }
    }
    const std::int32_t own = place[i];
    if (own >= row_start)
      std::copy_n(&values_[static_cast<std::size_t>(9 * own)], 9, diagonal_[i].begin());
    first_.push_back(static_cast<std::int32_t>(column_.size()));
  }
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
        outer_row_.push_back(static_cast<std::int32_t>(3 * i) + k);
        outer_column_.push_back(rows.column[e]);
        outer_value_.push_back(rows.value[e]);
        sum += std::abs(rows.value[e]);
      }
      coupling_[i] = std::max(coupling_[i], sum);
    }
  }
  petsc::Vector layout;
  SCREE_PETSC(MatCreateVecs(matrix, layout.out(), nullptr));
  ghost_ = petsc::make_vector(PETSC_COMM_SELF, static_cast<std::size_t>(local.n_outer_columns));
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
    u[static_cast<std::size_t>(outer_row_[e])] +=
        outer_value_[e] * ghost[static_cast<std::size_t>(outer_column_[e])];
  }
}

}  // namespace scree
