#pragma once

/// The inverse of the mass matrix of an FCLIB file.

#include <Eigen/SparseLU>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "fclib_blocks.hpp"
#include "fclib_file.hpp"

namespace scree::fclib {

/// All of @p matrix on every rank: for small ones. Collective.
Sparse whole_matrix(MPI_Comm comm, Mat matrix);

/// M^-1: body by body, or by a factorisation of all of M on every rank.
class MassInverse {
 public:
  /// @p mass has its rows and columns shared by @p dofs. Collective. @throws InputError on every
  /// rank when M is singular, or neither of small blocks nor small enough to factorise.
  MassInverse(MPI_Comm comm, Mat mass, const Shares& dofs, const std::filesystem::path& path);
  /// M is block diagonal with small blocks.
  bool by_blocks() const { return !factors_; }
  const Blocks& blocks() const { return blocks_; }
  /// M^-1, which this no longer has. @pre by_blocks()
  petsc::Matrix take_matrix() { return std::move(inverse_); }
  /// M^-1 x by this rank's share of x. Collective.
  std::vector<double> times(const std::vector<double>& x) const;
  /// M^-1 x of a whole x. Not collective. @pre not by_blocks()
  Dense times_whole(const Dense& x) const { return factors_->solve(x); }

 private:
  MPI_Comm comm_;
  Shares dofs_;
  Blocks blocks_;
  petsc::Matrix inverse_;
  std::shared_ptr<Eigen::SparseLU<SparseByColumn>> factors_;
};

}  // namespace scree::fclib
