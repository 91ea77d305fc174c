#pragma once

/// The inverse of the mass matrix of an FCLIB file.

#include <Eigen/SparseLU>
#include <filesystem>
#include <memory>
#include <vector>

#include "fclib_file.hpp"

namespace scree::fclib {

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
