#pragma once

/// M^-1 of bodies, one after another: six numbers each as long as all are diagonal, as those of
/// balls are, else 6 x 6.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "scree/base/math.hpp"

namespace scree {

/// Whether it is.
bool is_diagonal(const Mat6& mass);

class InverseMasses {
 public:
  void reserve(std::size_t n) { diagonals_.reserve(n); }
  void push_back(const Mat6& mass);
  void push_diagonal(const Vec6& diagonal);

  std::size_t size() const { return are_diagonal() ? diagonals_.size() : whole_.size(); }
  bool empty() const { return size() == 0; }
  bool are_diagonal() const { return whole_.empty(); }
  Mat6 operator[](std::size_t b) const { return are_diagonal() ? of_diagonal(b) : whole_[b]; }
  /// Those of all bodies, where all are diagonal.
  std::span<const Vec6> diagonals() const { return diagonals_; }

  Vec6 times(std::size_t b, const Vec6& momentum) const {
    if (are_diagonal()) return diagonals_[b].cwiseProduct(momentum);
    return whole_[b] * momentum;
  }

  /// All by their absolute values.
  InverseMasses absolute() const;

 private:
  Mat6 of_diagonal(std::size_t b) const { return Mat6(diagonals_[b].asDiagonal()); }

  std::vector<Vec6> diagonals_;  ///< empty where some body's is not
  std::vector<Mat6> whole_;      ///< else empty
};

}  // namespace scree
