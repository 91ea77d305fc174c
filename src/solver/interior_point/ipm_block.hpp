#pragma once

/// The block of one cone that a step inverts, S + R + reg with the compliance R of the contact.
///
/// S = W^2 is known by its spectrum, whose values lie as far apart as 1e20 near the end of the path, while
/// D = R + reg is diagonal, small and even. In the basis of S it is added to the diagonal matrix of its values:
///
///     S + D = Q (s + Q^T D Q) Q^T,    s = diag(low^2, high^2, low high)
///
/// and Cholesky's factors of the matrix in brackets keep the digits of every entry of its inverse up to the
/// condition of D, however far apart the values in s lie (Demmel, On floating point errors in Cholesky, 1989).
/// Without R the inverse is a function of S, which needs no factors.

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
      : s_(s), reg_(reg), rigid_(compliance.isZero(0.0)) {
    if (rigid_) return;
    basis_ = jordan::basis_of<N>(s);
    w_ = values_of_w<N>(s);
    const Vector added = compliance.array() + reg;
    Matrix sum = basis_.transpose() * added.asDiagonal() * basis_;
    sum.diagonal() += w_.cwiseAbs2();
    factors_.compute(sum);
  }

  /// (S + R + reg)^-1 z
  Vector solve(const Vector& z) const {
    if (!rigid_) return basis_ * factors_.solve(basis_.transpose() * z);
    return s_.transform(1.0 / (s_.low * s_.low + reg_), 1.0 / (s_.high * s_.high + reg_),
                        1.0 / (s_.det() + reg_), z);
  }

  /// (S + R + reg)^-1 W z, without the detour over W z, which would lose digits.
  Vector solve_scaled(const Vector& z) const {
    if (!rigid_) return basis_ * factors_.solve(w_.cwiseProduct(basis_.transpose() * z));
    return s_.transform(s_.low / (s_.low * s_.low + reg_), s_.high / (s_.high * s_.high + reg_),
                        std::sqrt(s_.det()) / (s_.det() + reg_), z);
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
  Vector w_;
  Eigen::LLT<Matrix> factors_;
};

}  // namespace scree::ipm
