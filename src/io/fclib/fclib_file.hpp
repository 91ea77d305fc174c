#pragma once

/// The contents of an FCLIB file, whole, on one rank.

#include <Eigen/SparseCore>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/io/hdf5/hdf5.hpp"

namespace scree::fclib {

using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;
using SparseByColumn = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
using Dense = Eigen::VectorXd;

enum class Kind { local, global, lcp };

/// The name of the group of a problem.
std::string group_of(Kind kind, bool rolling);

/// The head of a problem file, besides its matrices.
struct Header {
  Kind kind = Kind::local;
  bool rolling = false;
  int dim = 3;  ///< rows a contact; 5 with rolling, 1 in an LCP
  std::vector<double> mu;
  /// Length of rolling friction of each contact, m; empty without rolling.
  std::vector<double> mu_r;
  std::vector<std::int32_t> compliant_rows;  ///< rows of springs (fclib_compliance.hpp)
  Dense q;                                   ///< local: q; global: w; LCP: b
  Dense f;                                   ///< global only
  bool global() const { return kind == Kind::global; }
  double rolling_friction(std::size_t contact) const { return rolling ? mu_r[contact] : 0.0; }
  std::string group() const { return group_of(kind, rolling); }
  /// @pre not global
  std::string matrix() const { return group() + (kind == Kind::lcp ? "/A" : "/W"); }
};

/// Throws the InputError that names @p path and its @p problem. Not collective.
[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& problem);

/// Reads the header of @p file. Not collective. @throws InputError naming @p path and what is
/// wrong.
Header read_header(hid_t file, const std::filesystem::path& path);

/// The matrix @p name of @p header's group, of the shape @p rows x @p columns.
/// Not collective. @throws InputError.
Sparse read_matrix(hid_t file, const std::filesystem::path& path, const std::string& name,
                   Eigen::Index rows, Eigen::Index columns);

/// The bodies and contacts of a global problem.
struct GlobalMatrices {
  Sparse mass;  ///< M
  Sparse h;     ///< H, degrees of freedom x rows
  Dense f;      ///< N s
};

/// The matrices of the file that has @p header. Not collective. @throws InputError.
GlobalMatrices read_global(hid_t file, const std::filesystem::path& path, const Header& header);

inline std::vector<double> to_vector(const Dense& values) {
  return {values.data(), values.data() + values.size()};
}

/// Largest |A_ij - A_ji| over the largest |A_ij|.
double asymmetry(const Sparse& a);

}  // namespace scree::fclib
