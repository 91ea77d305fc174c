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

#include <cmath>

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

/// L of a = L L^T, in the lower triangle. Eigen's takes the compiler seconds, since it is made for
/// large matrices, too.
template <int N>
class CholeskyFactor {
 public:
  using Vector = jordan::Vector<N>;

  void compute(const jordan::Matrix<N>& a) {
    for (int j = 0; j < N; ++j) {
      for (int i = j; i < N; ++i) {
        double rest = a(i, j);
        for (int k = 0; k < j; ++k) rest -= l_(i, k) * l_(j, k);
        l_(i, j) = i == j ? std::sqrt(rest) : rest / l_(j, j);
      }
    }
  }
  /// L^-1 b
  Vector lower_solution(Vector b) const {
    for (int i = 0; i < N; ++i) {
      for (int k = 0; k < i; ++k) b[i] -= l_(i, k) * b[k];
      b[i] /= l_(i, i);
    }
    return b;
  }
  /// a^-1 b
  Vector solution(const Vector& b) const {
    Vector x = lower_solution(b);
    for (int i = N - 1; i >= 0; --i) {
      for (int k = i + 1; k < N; ++k) x[i] -= l_(k, i) * x[k];
      x[i] /= l_(i, i);
    }
    return x;
  }

 private:
  jordan::Matrix<N> l_ = jordan::Matrix<N>::Zero();
};

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
    factor_.compute(sum);
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
      inside = factor_.solution(inside);
    }
    return {basis_ * inside, basis_ * w_.cwiseProduct(inside)};
  }

  /// (S + R + reg)^-1
  Matrix inverse() const {
    if (!rigid_) {
      Matrix half;
      for (int k = 0; k < N; ++k) half.col(k) = factor_.lower_solution(basis_.row(k).transpose());
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
  CholeskyFactor<N> factor_;
};

}  // namespace scree::ipm
