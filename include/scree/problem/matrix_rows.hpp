#pragma once

/// The rows of an assembled N of this rank's cones, for sweeps over the contacts: columns of this
/// rank's cones apart from those of other ranks.

#include <cstdint>
#include <vector>

#include "scree/problem/contact_problem.hpp"

namespace scree {

class MatrixRows {
 public:
  /// Collective. @p matrix: MATAIJ, rows and columns laid out by @p cones; copied.
  MatrixRows(Mat matrix, const Cones& cones);

  /// The largest sum of absolute values, over the rows of the cone, in columns of other ranks.
  double coupling(std::size_t cone) const { return coupling_[cone]; }

  /// u += sum_j N_ij lambda_j over this rank's cones j; @p lambda: this rank's rows, @p u those of
  /// the cone.
  void add_rows(std::size_t cone, const double* lambda, double* u) const {
    for (std::int32_t row = offset_[cone]; row < offset_[cone + 1]; ++row, ++u) {
      for (PetscInt e = start_[row]; e < start_[row + 1]; ++e) {
        *u += value_[e] * lambda[column_[e]];
      }
    }
  }

  /// Collective. Adds to @p u what the impulses @p lambda of other ranks give to this rank's rows.
  void add_outer(Vec lambda, std::vector<double>& u) const;

 private:
  void read_outer(Mat matrix, const Cones& cones);

  std::vector<std::int32_t> offset_;
  std::vector<PetscInt> start_;
  std::vector<PetscInt> column_;
  std::vector<double> value_;
  std::vector<double> coupling_;
  // columns of other ranks
  std::vector<std::int32_t> outer_row_;
  std::vector<std::int32_t> outer_column_;
  std::vector<double> outer_value_;
  petsc::Scatter scatter_;
  petsc::Vector ghost_;
};

}  // namespace scree
