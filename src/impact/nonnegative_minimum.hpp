#pragma once

/// The quadratic program of Generalized Reflections and of the inelastic outcome:
///
///     argmin_x  x^T G x / 2 + h^T x,   x >= 0,        G = B^T B positive semidefinite, h in its range
///
/// Method: the active set method of Lawson and Hanson, Solving Least Squares Problems (1974),
/// chapter 23, on the normal equations: indices enter while the gradient pushes them, each with one
/// more row of the Cholesky factor, and leave where they would turn negative. Here many enter at
/// once, and one alone where the objective did not fall with many. It ends in finitely many steps,
/// since the objective falls with each and no set of indices returns. Columns of B that depend on
/// those within never enter; B x is unique all the same.

#include <Eigen/Core>

namespace scree {

/// @p gram G, k x k; @p linear h, k. @returns x >= 0, with (G x + h)_i >= -1e-13 max|h| where x_i =
/// 0.
Eigen::VectorXd nonnegative_minimum(const Eigen::MatrixXd& gram, const Eigen::VectorXd& linear);

}  // namespace scree
