#pragma once

/// A square block for each cone, dim x dim numbers, row-major, one after another in one array.

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "scree/problem/cones.hpp"

namespace scree {

template <int kDim>
using ConeBlock = Eigen::Matrix<double, kDim, kDim, kDim == 1 ? Eigen::ColMajor : Eigen::RowMajor>;

/// How many numbers the blocks of @p cones are.
inline std::size_t size_of_blocks(const Cones& cones) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < cones.count(); ++i) {
    const auto dim = static_cast<std::size_t>(cones.dim(i));
    size += dim * dim;
  }
  return size;
}

/// The block of a cone of @p kDim rows among the numbers of all.
template <int kDim, class Number>
using BlockAmong =
    Eigen::Map<std::conditional_t<std::is_const_v<Number>, const ConeBlock<kDim>, ConeBlock<kDim>>>;

/// Calls `visit.operator()<kDim>(place, block)` for every cone, in order, with an Eigen map of its
/// block. @p blocks is the first number, which may be const.
template <class Number, class Visit>
void for_each_block(const Cones& cones, Number* blocks, Visit&& visit) {
  for_each_place(cones, [&]<int kDim>(const ConePlace& at) {
    visit.template operator()<kDim>(at, BlockAmong<kDim, Number>(blocks));
    blocks += kDim * kDim;
  });
}

/// Calls `visit(cone, place, block)` likewise, with the cone itself.
template <class Number, class Visit>
void for_each_cone_and_block(const Cones& cones, Number* blocks, Visit&& visit) {
  for_each_cone(cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    visit(cone, at, BlockAmong<Cone::kDim, Number>(blocks));
    blocks += Cone::kDim * Cone::kDim;
  });
}

}  // namespace scree
