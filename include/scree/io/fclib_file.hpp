#pragma once

/// The contents of an FCLIB file, whole, on one rank.

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "scree/io/hdf5.hpp"

namespace scree::fclib {

using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;
using SparseByColumn = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
using Dense = Eigen::VectorXd;

enum class Kind { local, global, lcp };

/// The name of the group of a problem.
std::string group_of(Kind kind, bool rolling);

/// What a problem file holds besides its matrices.
struct Header {
  Kind kind = Kind::local;
  bool rolling = false;
  int dim = 3;  ///< rows a contact; 5 with rolling, 1 in an LCP
  std::vector<double> mu;
  std::vector<double> mu_r;                  ///< with rolling only, m
  std::vector<std::int32_t> compliant_rows;  ///< those of the springs, see fclib_compliance.hpp
  Dense q;                                   ///< local: q; global: w; LCP: b
  Dense f;                                   ///< global only
  bool global() const { return kind == Kind::global; }
  double rolling_friction(std::size_t contact) const { return rolling ? mu_r[contact] : 0.0; }
  std::string group() const { return group_of(kind, rolling); }
  /// @pre not global
  std::string matrix() const { return group() + (kind == Kind::lcp ? "/A" : "/W"); }
};

/// Not collective. @throws InputError naming @p path and what is wrong.
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

/// M^-1: body by body, or by a factorisation.
class MassInverse {
 public:
  /// @throws InputError when M is singular, or neither small blocks nor small enough to factorise.
  MassInverse(const Sparse& mass, const std::filesystem::path& path);
  /// M is block diagonal with small blocks.
  bool by_blocks() const { return !factors_; }
  /// Every block lies within six consecutive degrees of freedom from a multiple of six.
  bool rigid_bodies() const { return rigid_; }
  /// M^-1. @pre by_blocks()
  const Sparse& matrix() const { return inverse_; }
  Dense times(const Dense& x) const;

 private:
  void invert_blocks(const Sparse& mass, const std::vector<std::vector<int>>& blocks,
                     const std::filesystem::path& path);

  bool rigid_ = false;
  Sparse inverse_;
  std::shared_ptr<Eigen::SparseLU<SparseByColumn>> factors_;
};

}  // namespace scree::fclib
