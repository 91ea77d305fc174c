#pragma once

/// Operations on the small matrices of one contact, whatever their size: compiled once, not once a
/// cone.

#include <Eigen/Core>

namespace scree::cones {

/// The largest size: rows of a cone.
inline constexpr int kMostRows = 6;
using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMostRows, kMostRows>;

/// The largest eigenvalue of the symmetric part of @p a.
double largest_eigenvalue(const SmallMatrix& a);

/// The inverse of @p a, in the least-squares sense where it is singular.
SmallMatrix pseudo_inverse(const SmallMatrix& a);

/// a^-1 b; not finite where @p a is singular.
SmallMatrix solve(const SmallMatrix& a, const SmallMatrix& b);

}  // namespace scree::cones
