#include "scree/problem/cones/small_matrix.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

namespace scree::cones {

double largest_eigenvalue(const SmallMatrix& a) {
  if (a.rows() == 1) return a(0, 0);
  const SmallMatrix symmetric = 0.5 * (a + a.transpose());
  return Eigen::SelfAdjointEigenSolver<SmallMatrix>(symmetric, Eigen::EigenvaluesOnly)
      .eigenvalues()[a.rows() - 1];
}

SmallMatrix pseudo_inverse(const SmallMatrix& a) {
  return a.completeOrthogonalDecomposition().pseudoInverse();
}

SmallMatrix solve(const SmallMatrix& a, const SmallMatrix& b) {
  return a.partialPivLu().solve(b);
}

}  // namespace scree::cones
