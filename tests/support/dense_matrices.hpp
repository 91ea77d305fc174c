#pragma once

/// Factorisations of dense matrices of any size, compiled once for all tests: each takes the
/// compiler seconds.

#include <Eigen/Core>
#include <optional>

namespace scree::test {

/// In increasing order.
Eigen::VectorXd eigenvalues(const Eigen::MatrixXd& symmetric);

/// The largest singular value.
double norm(const Eigen::MatrixXd& a);

/// The matrix with the eigenvectors of @p symmetric and its eigenvalues to the power @p exponent.
Eigen::MatrixXd power(const Eigen::MatrixXd& symmetric, double exponent);

/// x with A x = b, by complete pivoting; none where A is singular to rounding.
std::optional<Eigen::VectorXd> solution(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);

}  // namespace scree::test
