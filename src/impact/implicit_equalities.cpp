#include "scree/impact/implicit_equalities.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <chrono>
#include <limits>

#include "linear_program.hpp"
#include "scree/base/check.hpp"

namespace scree {
namespace {

using Entries = std::vector<Eigen::Triplet<double>>;

constexpr double kOpened = 0.5;  // of t: it is 0 or 1 but at the edge of the flatness

/// The program of the header over the columns of @p normals: unknowns w, then t.
LinearProgram support_program(const SparseColumns& normals, double flatness) {
  const Eigen::Index d = normals.rows();
  const Eigen::Index m = normals.cols();
  Entries entries;
  for (Eigen::Index i = 0; i < m; ++i) {
    for (SparseColumns::InnerIterator it(normals, i); it; ++it) {
      entries.emplace_back(i, it.row(), it.value());
    }
    entries.emplace_back(i, d + i, -1.0);
  }
  LinearProgram program;
  program.rows.resize(m, d + m);
  program.rows.setFromTriplets(entries.begin(), entries.end());
  program.row_low = Eigen::VectorXd::Zero(m);
  program.row_high = Eigen::VectorXd::Constant(m, std::numeric_limits<double>::infinity());
  program.objective = Eigen::VectorXd::Zero(d + m);
  program.objective.tail(m).setOnes();
  program.low = Eigen::VectorXd::Zero(d + m);
  program.low.head(d).setConstant(-1.0 / flatness);
  program.high = Eigen::VectorXd::Ones(d + m);
  program.high.head(d).setConstant(1.0 / flatness);
  return program;
}

std::vector<std::int32_t> columns_that_are_not_zero(const SparseColumns& normals) {
  std::vector<std::int32_t> columns;
  for (std::int32_t i = 0; i < normals.cols(); ++i) {
    if (normals.col(i).nonZeros() > 0) columns.push_back(i);
  }
  return columns;
}

/// The columns that are left where nothing is projected out: all but those that are zero.
ProjectedNormals without_zeros(const SparseColumns& normals) {
  ProjectedNormals left;
  left.contacts = columns_that_are_not_zero(normals);
  left.normals = columns_of(normals, left.contacts);
  left.length = Eigen::VectorXd::Ones(left.normals.cols());
  return left;
}

/// An orthonormal basis of what the columns span beyond @p flatness, exactly zero in rows where
/// they are.
SparseColumns basis_of(const SparseColumns& columns, double flatness) {
  const std::vector<Eigen::Index> rows = rows_of(columns);
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(flatness);
  qr.compute(dense_rows(columns, rows));
  const Eigen::MatrixXd q = qr.householderQ() * Eigen::MatrixXd::Identity(qr.rows(), qr.rank());
  Entries entries;
  for (Eigen::Index j = 0; j < q.cols(); ++j) {
    for (Eigen::Index k = 0; k < q.rows(); ++k) {
      entries.emplace_back(rows[static_cast<std::size_t>(k)], j, q(k, j));
    }
  }
  SparseColumns basis(columns.rows(), q.cols());
  basis.setFromTriplets(entries.begin(), entries.end());
  return basis;
}

}  // namespace

std::vector<Eigen::Index> rows_of(const SparseColumns& columns) {
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(columns.cols());
  const Eigen::VectorXd sums = columns.cwiseAbs() * ones;
  std::vector<Eigen::Index> rows;
  for (Eigen::Index k = 0; k < sums.size(); ++k) {
    if (sums[k] > 0.0) rows.push_back(k);
  }
  return rows;
}

Eigen::MatrixXd dense_rows(const SparseColumns& columns, const std::vector<Eigen::Index>& chosen) {
  Eigen::MatrixXd dense =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(chosen.size()), columns.cols());
  for (Eigen::Index j = 0; j < columns.cols(); ++j) {
    for (SparseColumns::InnerIterator it(columns, j); it; ++it) {
      const auto place = std::lower_bound(chosen.begin(), chosen.end(), it.row());
      dense(place - chosen.begin(), j) = it.value();
    }
  }
  return dense;
}

ImplicitEqualities implicit_equalities(const SparseColumns& normals, double flatness) {
  const auto start = std::chrono::steady_clock::now();
  ImplicitEqualities found;
  std::vector<std::int32_t> left = columns_that_are_not_zero(normals);
  for (bool shaved = true; shaved && left.size() > 1;) {
    const auto w_and_t = solve(support_program(columns_of(normals, left), flatness));
    if (!w_and_t) throw Failure("Clp finds no point in a linear program that zero solves");
    ++found.programs;
    std::vector<std::int32_t> closed;
    for (std::size_t k = 0; k < left.size(); ++k) {
      if ((*w_and_t)[normals.rows() + static_cast<Eigen::Index>(k)] < kOpened)
        closed.push_back(left[k]);
    }
    shaved = closed.size() < left.size();
    left = closed;
  }
  if (left.size() == 1) left.clear();  // one gradient alone can always open
  found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  found.contacts = left;
  found.basis = left.empty() ? SparseColumns(normals.rows(), 0)
                             : basis_of(columns_of(normals, left), flatness);
  return found;
}

ProjectedNormals project_out(const ImplicitEqualities& equalities, const SparseColumns& normals,
                             double flatness) {
  if (equalities.basis.cols() == 0) return without_zeros(normals);
  ProjectedNormals projected;
  std::vector<double> lengths;
  Entries entries;
  for (const std::int32_t i : columns_that_are_not_zero(normals)) {
    Eigen::VectorXd x = project_out(equalities, Eigen::VectorXd(normals.col(i)));
    const double length = x.norm();
    if (length <= flatness) continue;
    x = project_out(equalities,
                    Eigen::VectorXd(x / length));  // again: the first left rounding over length
    const auto column = static_cast<Eigen::Index>(lengths.size());
    for (Eigen::Index k = 0; k < x.size(); ++k) {
      if (x[k] != 0.0) entries.emplace_back(k, column, x[k]);
    }
    projected.contacts.push_back(i);
    lengths.push_back(length);
  }
  projected.normals.resize(normals.rows(), static_cast<Eigen::Index>(lengths.size()));
  projected.normals.setFromTriplets(entries.begin(), entries.end());
  projected.length =
      Eigen::Map<const Eigen::VectorXd>(lengths.data(), static_cast<Eigen::Index>(lengths.size()));
  return projected;
}

Eigen::VectorXd project_out(const ImplicitEqualities& equalities, const Eigen::VectorXd& y) {
  if (equalities.basis.cols() == 0) return y;
  return y - equalities.basis * (equalities.basis.transpose() * y);
}

}  // namespace scree
