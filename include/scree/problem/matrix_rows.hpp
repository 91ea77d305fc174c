#pragma once

/// The rows of an assembled N of this rank's cones, as 3 x 3 blocks (padded below dim 3): columns of
/// this rank's cones apart from those of other ranks. For sweeps over the contacts.

#include <array>
#include <cstdint>
#include <vector>

#include "scree/problem/contact_problem.hpp"

namespace scree {

class MatrixRows {
 public:
  /// Collective. @p matrix: MATAIJ, rows and columns laid out by @p cones; must outlive this.
  MatrixRows(Mat matrix, const Cones& cones);

  std::size_t n_cones() const { return first_.size() - 1; }
  /// N_ii, row-major.
  const std::array<double, 9>& diagonal(std::size_t cone) const { return diagonal_[cone]; }
  /// The largest sum of absolute values, over the rows of the cone, in columns of other ranks.
  double coupling(std::size_t cone) const { return coupling_[cone]; }

  /// u += sum_j N_ij lambda_j over this rank's cones j; @p lambda padded, @p u three numbers.
  void add_row(std::size_t cone, const double* lambda, double* u) const {
    for (std::int32_t e = first_[cone]; e < first_[cone + 1]; ++e) {
      const double* b = values_.data() + 9 * static_cast<std::size_t>(e);
      const double* l = lambda + 3 * static_cast<std::size_t>(column_[static_cast<std::size_t>(e)]);
      for (int k = 0; k < 3; ++k)
        u[k] += b[3 * k] * l[0] + b[3 * k + 1] * l[1] + b[3 * k + 2] * l[2];
    }
  }

  /// Collective. Adds to @p u (padded) what the impulses @p lambda of other ranks give.
  void add_outer(Vec lambda, std::vector<double>& u) const;

 private:
  void read_inner(Mat matrix, const Cones& cones);
  void read_outer(Mat matrix, const Cones& cones);

  std::vector<std::int32_t> first_{0};
  std::vector<std::int32_t> column_;  ///< local cone
  std::vector<double> values_;        ///< nine numbers a block, row-major
  std::vector<std::array<double, 9>> diagonal_;
  std::vector<double> coupling_;

  // columns of other ranks: scalar compressed rows over padded row numbers
  std::vector<std::int32_t> outer_row_;
  std::vector<std::int32_t> outer_column_;
  std::vector<double> outer_value_;
  petsc::Scatter scatter_;
  petsc::Vector ghost_;
};

}  // namespace scree
