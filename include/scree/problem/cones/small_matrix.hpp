#pragma once

/// Operations on the small matrices of one contact, whatever their size: compiled once, not once a
/// cone.

#include "scree/problem/cones/rows.hpp"

namespace scree::cones {

using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMostRows, kMostRows>;

/// The largest eigenvalue of the symmetric part of @p a.
double largest_eigenvalue(const SmallMatrix& a);

/// The inverse of @p a, in the least-squares sense where it is singular.
SmallMatrix pseudo_inverse(const SmallMatrix& a);

/// The inverse of @p a, of 1 to kMostRows rows; not finite where it is singular.
template <int kDim>
Square<kDim> inverse(const Square<kDim>& a);

/// a^-1 b; not finite where @p a is singular.
SmallMatrix solve(const SmallMatrix& a, const SmallMatrix& b);

}  // namespace scree::cones
