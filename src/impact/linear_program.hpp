#pragma once

/// Linear programs: the one place that knows Clp.
///
///     max c^T x,   row_low <= R x <= row_high,   low <= x <= high        (sides may be infinite)

#include <Eigen/SparseCore>
#include <optional>

namespace scree {

struct LinearProgram {
  Eigen::VectorXd objective;         ///< c
  Eigen::SparseMatrix<double> rows;  ///< R
  Eigen::VectorXd row_low, row_high;
  Eigen::VectorXd low, high;
};

/// An optimal vertex x; none where no x satisfies the rows. Throws Failure where Clp ends
/// otherwise. Small programs go by the simplex method; large ones by the interior point method with
/// a crossover, in a tenth of its time.
std::optional<Eigen::VectorXd> solve(const LinearProgram& program);

}  // namespace scree
