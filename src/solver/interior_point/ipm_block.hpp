#pragma once

/// The block of one cone that a step inverts, S + R + reg with the compliance R of the contact.
///
/// S = W^2 is known by its spectrum, whose values lie as far apart as 1e30 near the end of the
/// path, while D = R + reg is diagonal, small and even. In the basis of S it is added to the
/// diagonal matrix of its values:
///
///     S + D = Q (s + Q^T D Q) Q^T,    s = diag(low^2, high^2, low high)
///
/// and Cholesky's factors of the matrix in brackets keep the digits of every entry of its inverse
/// up to the condition of D, however far apart the values in s lie (Demmel, On floating point
/// errors in Cholesky, 1989). Without R it is diagonal.
///
/// A solution x and its image W x are both made from what x is in the basis. W times x itself would
/// be worth nothing: rounding x along one spectral vector leaves eps |x| on the other one, which W
/// takes to high eps |x|, and dy = W (g - W x) to high^2 eps |x|, or 1e-2 |x| where high is 1e7.

#include <Eigen/Cholesky>

#include "scree/problem/cones/jordan.hpp"

namespace scree::ipm {

/// The values of W in the basis of its spectrum (jordan::basis_of).
template <int N>
jordan::Vector<N> values_of_w(const jordan::Spectrum<N>& s) {
  jordan::Vector<N> values = jordan::Vector<N>::Constant(std::sqrt(s.det()));
  if constexpr (N > 1) {
    values[0] = s.low;
    values[1] = s.high;
  }
  return values;
}

template <int N>
class StepBlock {
 public:
  using Vector = jordan::Vector<N>;
  using Matrix = jordan::Matrix<N>;

  /// @p s: spectrum of the scaling point. @p compliance: diagonal of R.
  StepBlock(const jordan::Spectrum<N>& s, double reg, const Vector& compliance)
      : s_(s),
        reg_(reg),
        rigid_(compliance.isZero(0.0)),
        basis_(jordan::basis_of<N>(s)),
        w_(values_of_w<N>(s)) {
    if (rigid_) return;
    const Vector added = compliance.array() + reg;
    Matrix sum = basis_.transpose() * added.asDiagonal() * basis_;
    sum.diagonal() += w_.cwiseAbs2();
    factors_.compute(sum);
  }

  struct Solution {
    Vector x;
    Vector scaled;  ///< W x
  };

  /// (S + R + reg) x = W g + z
  Solution solve(const Vector& g, const Vector& z) const {
    Vector inside = w_.cwiseProduct(basis_.transpose() * g) + basis_.transpose() * z;
    if (rigid_) {
      inside.array() /= w_.array().square() + reg_;
    } else {
      factors_.solveInPlace(inside);
    }
    return {basis_ * inside, basis_ * w_.cwiseProduct(inside)};
  }

  /// (S + R + reg)^-1
  Matrix inverse() const {
    if (!rigid_) {
      const Matrix half = factors_.matrixL().solve(basis_.transpose());
      return half.transpose() * half;
    }
    return s_.transform_matrix(1.0 / (s_.low * s_.low + reg_), 1.0 / (s_.high * s_.high + reg_),
                               1.0 / (s_.det() + reg_));
  }

 private:
  jordan::Spectrum<N> s_;
  double reg_;
  bool rigid_;
  Matrix basis_;
  Vector w_;  ///< W in the basis
  Eigen::LLT<Matrix> factors_;
};

}  // namespace scree::ipm
