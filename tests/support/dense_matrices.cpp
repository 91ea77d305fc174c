#include "support/dense_matrices.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

namespace scree::test {

using SymmetricSolver = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;

Eigen::VectorXd eigenvalues(const Eigen::MatrixXd& symmetric) {
  return SymmetricSolver(symmetric).eigenvalues();
}

double norm(const Eigen::MatrixXd& a) {
  return std::sqrt(eigenvalues(a.transpose() * a).tail<1>()[0]);
}

Eigen::MatrixXd power(const Eigen::MatrixXd& symmetric, double exponent) {
  const SymmetricSolver solver(symmetric);
  return solver.eigenvectors() * solver.eigenvalues().array().pow(exponent).matrix().asDiagonal() *
         solver.eigenvectors().transpose();
}

std::optional<Eigen::VectorXd> solution(const Eigen::MatrixXd& a, const Eigen::VectorXd& b) {
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(a);
  if (!lu.isInvertible()) return std::nullopt;
  return lu.solve(b);
}

}  // namespace scree::test
