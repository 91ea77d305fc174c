#include "fclib_mass.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <numeric>

namespace scree::fclib {
namespace {

constexpr std::size_t kLargestBlock = 64;
constexpr Eigen::Index kLargestFactorised = 20000;

/// The connected components of M's graph, each ascending, in the order of their first member.
std::vector<std::vector<int>> components(const Sparse& m) {
  std::vector<int> parent(m.rows());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&parent](int k) {
    while (parent[k] != k) {
      int& up = parent[k];
      up = parent[up];
      k = up;
    }
    return k;
  };
  for (int row = 0; row < m.rows(); ++row) {
    for (Sparse::InnerIterator entry(m, row); entry; ++entry) {
      const int a = root(row);
      const int b = root(static_cast<int>(entry.col()));
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  std::vector<std::vector<int>> members(parent.size());
  for (int k = 0; k < m.rows(); ++k) members[root(k)].push_back(k);
  std::erase_if(members, [](const std::vector<int>& c) { return c.empty(); });
  return members;
}

}  // namespace

MassInverse::MassInverse(const Sparse& mass, const std::filesystem::path& path) {
  const std::vector<std::vector<int>> blocks = components(mass);
  const bool small = std::all_of(blocks.begin(), blocks.end(),
                                 [](const auto& b) { return b.size() <= kLargestBlock; });
  if (small) {
    invert_blocks(mass, blocks, path);
    return;
  }
  if (mass.rows() > kLargestFactorised) {
    refuse(path, fmt::format("M couples more than {} degrees of freedom of a body and has {} in "
                             "all; scree factorises it up to {}",
                             kLargestBlock, mass.rows(), kLargestFactorised));
  }
  factors_ = std::make_shared<Eigen::SparseLU<SparseByColumn>>();
  factors_->compute(SparseByColumn(mass));
  if (factors_->info() != Eigen::Success) refuse(path, "M is singular");
}

void MassInverse::invert_blocks(const Sparse& mass, const std::vector<std::vector<int>>& blocks,
                                const std::filesystem::path& path) {
  std::vector<int> place(mass.rows());
  std::vector<Eigen::Triplet<double>> triplets;
  rigid_ = mass.rows() % 6 == 0;
  for (const std::vector<int>& block : blocks) {
    const auto n = static_cast<Eigen::Index>(block.size());
    if (block.front() / 6 != block.back() / 6) rigid_ = false;
    for (int k = 0; k < n; ++k) {
      place[block[k]] = k;
    }
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      for (Sparse::InnerIterator entry(mass, block[k]); entry; ++entry) {
        dense(k, place[entry.col()]) += entry.value();
      }
    }
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(dense);
    if (!lu.isInvertible()) refuse(path, fmt::format("M is singular at row {}", block.front()));
    const Eigen::MatrixXd inverse = lu.inverse();
    for (Eigen::Index k = 0; k < n; ++k) {
      for (Eigen::Index l = 0; l < n; ++l) {
        triplets.emplace_back(block[k], block[l], inverse(k, l));
      }
    }
  }
  inverse_.resize(mass.rows(), mass.rows());
  inverse_.setFromTriplets(triplets.begin(), triplets.end());
}

Dense MassInverse::times(const Dense& x) const {
  if (by_blocks()) return inverse_ * x;
  return factors_->solve(x);
}

}  // namespace scree::fclib
