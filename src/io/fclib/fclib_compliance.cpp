#include "fclib_compliance.hpp"

#include <fmt/format.h>

namespace scree::fclib {
namespace {

/// R of the spring @p dof, if it is one on @p row alone; 0 else.
double compliance_of(const GlobalMatrices& matrices, const SparseByColumn& by_column,
                     Eigen::Index dof, Eigen::Index row) {
  double mass = 0.0;
  double slope = 0.0;
  for (Sparse::InnerIterator entry(matrices.mass, dof); entry; ++entry) {
    if (entry.col() == dof) {
      mass = entry.value();
    } else if (entry.value() != 0.0) {
      return 0.0;
    }
  }
  for (SparseByColumn::InnerIterator entry(by_column, dof); entry; ++entry) {
    if (entry.row() != dof && entry.value() != 0.0) return 0.0;
  }
  for (Sparse::InnerIterator entry(matrices.h, dof); entry; ++entry) {
    if (entry.col() == row) {
      slope = entry.value();
    } else if (entry.value() != 0.0) {
      return 0.0;
    }
  }
  if (!(mass > 0.0) || matrices.f[dof] != 0.0) return 0.0;
  return slope * slope / mass;
}

}  // namespace

void append_springs(GlobalMatrices& matrices, const std::vector<std::int32_t>& rows,
                    const std::vector<double>& r) {
  const Eigen::Index first = matrices.mass.rows();
  const Eigen::Index n = first + static_cast<Eigen::Index>(rows.size());
  matrices.mass.conservativeResize(n, n);
  matrices.h.conservativeResize(n, matrices.h.cols());
  matrices.f.conservativeResize(n);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Eigen::Index dof = first + static_cast<Eigen::Index>(k);
    matrices.mass.insert(dof, dof) = 1.0 / r[k];
    matrices.h.insert(dof, rows[k]) = 1.0;
    matrices.f[dof] = 0.0;
  }
}

Dense take_springs(GlobalMatrices& matrices, const std::vector<std::int32_t>& rows,
                   const std::filesystem::path& path) {
  Dense compliance = Dense::Zero(matrices.h.cols());
  const Eigen::Index n = matrices.mass.rows() - static_cast<Eigen::Index>(rows.size());
  const SparseByColumn by_column(matrices.mass);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Eigen::Index dof = n + static_cast<Eigen::Index>(k);
    const bool known = dof >= 0 && rows[k] >= 0 && rows[k] < compliance.size();
    const double r = known ? compliance_of(matrices, by_column, dof, rows[k]) : 0.0;
    if (!(r > 0.0)) {
      throw InputError(fmt::format(
          "{}: info/compliant_rows names row {}, but degree of freedom {} is no spring on it alone",
          path.string(), rows[k], dof));
    }
    compliance[rows[k]] += r;
  }
  matrices.mass = Sparse(matrices.mass.topLeftCorner(n, n));
  matrices.h = Sparse(matrices.h.topRows(n));
  matrices.f = Dense(matrices.f.head(n));
  return compliance;
}

}  // namespace scree::fclib
