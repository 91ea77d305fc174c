#include "scree/problem/inverse_masses.hpp"

#include <cmath>

namespace scree {

bool is_diagonal(const Mat6& mass) {
  double others = 0.0;
  for (int k = 0; k < 6; ++k) {
    for (int l = 0; l < k; ++l) others += std::abs(mass(k, l)) + std::abs(mass(l, k));
  }
  return others == 0.0;
}

void InverseMasses::push_back(const Mat6& mass) {
  if (are_diagonal() && is_diagonal(mass)) return push_diagonal(mass.diagonal());
  if (are_diagonal()) {
    whole_.reserve(std::max(diagonals_.capacity(), diagonals_.size() + 1));
    for (std::size_t b = 0; b < diagonals_.size(); ++b) whole_.push_back(of_diagonal(b));
    diagonals_ = std::vector<Vec6>();
  }
  whole_.push_back(mass);
}

void InverseMasses::push_diagonal(const Vec6& diagonal) {
  if (are_diagonal()) {
    diagonals_.push_back(diagonal);
  } else {
    whole_.emplace_back(diagonal.asDiagonal());
  }
}

InverseMasses InverseMasses::absolute() const {
  InverseMasses result = *this;
  for (Vec6& diagonal : result.diagonals_) diagonal = diagonal.cwiseAbs().eval();
  for (Mat6& mass : result.whole_) mass = mass.cwiseAbs().eval();
  return result;
}

}  // namespace scree
