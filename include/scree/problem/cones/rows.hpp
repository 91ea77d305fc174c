#pragma once

/// The rows of one cone, of a dimension known to the compiler.

#include <Eigen/Core>

namespace scree::cones {

/// The most that a cone has.
inline constexpr int kMostRows = 6;

template <int kDim>
using Rows = Eigen::Matrix<double, kDim, 1>;
template <int kDim>
using Square = Eigen::Matrix<double, kDim, kDim>;

}  // namespace scree::cones
