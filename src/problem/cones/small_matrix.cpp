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

template <int kDim>
Square<kDim> inverse(const Square<kDim>& a) {
  return a.inverse();
}
template Square<1> inverse(const Square<1>&);
template Square<2> inverse(const Square<2>&);
template Square<3> inverse(const Square<3>&);
template Square<4> inverse(const Square<4>&);
template Square<5> inverse(const Square<5>&);
template Square<6> inverse(const Square<6>&);

SmallMatrix solve(const SmallMatrix& a, const SmallMatrix& b) {
  return a.partialPivLu().solve(b);
}

}  // namespace scree::cones
