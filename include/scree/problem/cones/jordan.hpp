#pragma once

/// The Jordan algebra (R^N, o) of the second-order cone C = { x : x_n >= |x_t| }.
///
///     x o y = 1/sqrt2 (x^T y, x_n y_t + y_n x_t),     e = (sqrt2, 0)
///     x     = low q_low + high q_high                  spectral values (x_n -+ |x_t|) / sqrt2
///     L(x)y = x o y,     P(x) = 2 L(x)^2 - L(x o x) = x x^T - det(x) J,     J = diag(1, -1, ..)
///     w     : P(w) x = y                               Nesterov and Todd's scaling point
///
/// The same formulas hold for N = 1, the half line (R, .), up to the factor in the product: there
/// both spectral values are x / sqrt2. A point on the axis of the cone of any N behaves as a number
/// does: x = (a, 0), y = (b, 0) have P(w) x = y for P(w) = b/a on the axis.
///
/// Terms in x_n - |x_t| are computed from the two spectral values, not from squares of x, so
/// that points near the boundary keep their digits.
///
/// Nothing here is collective. Reference: Kleinert, Simeon, Obermayr (paper 004), section 3 (a)-(k)
/// and Lemmas 1 to 3; the 1/sqrt2 is theirs.

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <numbers>

namespace scree::jordan {

inline constexpr double kSqrt2 = std::numbers::sqrt2;

template <int N>
using Vector = Eigen::Matrix<double, N, 1>;
template <int N>
using Matrix = Eigen::Matrix<double, N, N>;

/// |x_t|
template <int N>
double tangent_norm(const Vector<N>& x) {
  if constexpr (N == 1) {
    return 0.0;
  } else {
    return x.template tail<N - 1>().norm();
  }
}

template <int N>
Vector<N> product(const Vector<N>& x, const Vector<N>& y) {
  Vector<N> z;
  z[0] = x.dot(y);
  for (int k = 1; k < N; ++k) z[k] = x[0] * y[k] + y[0] * x[k];
  return z / kSqrt2;
}

/// (b) x o e = x.
template <int N>
Vector<N> unit() {
  Vector<N> e = Vector<N>::Zero();
  e[0] = kSqrt2;
  return e;
}

/// (e) J x.
template <int N>
Vector<N> reflect(const Vector<N>& x) {
  Vector<N> z = -x;
  z[0] = x[0];
  return z;
}

/// (c) Spectral values and vectors. For N = 1 both vectors are 1/sqrt2, and every formula below
/// still holds.
template <int N>
struct Spectrum {
  double low = 0.0;
  double high = 0.0;
  Vector<N> q_low;
  Vector<N> q_high;

  double trace() const { return low + high; }
  double det() const { return low * high; }
  Vector<N> point() const { return combine(low, high); }
  Vector<N> combine(double at_low, double at_high) const {
    return at_low * q_low + at_high * q_high;
  }
  /// The symmetric matrix with the eigenvalues @p at_low, @p at_high on the spectral vectors and
  /// @p across beside them, times @p z. P(x^a) is low^2a, high^2a, det^a.
  Vector<N> transform(double at_low, double at_high, double across, const Vector<N>& z) const {
    const double on_low = q_low.dot(z);
    const double on_high = q_high.dot(z);
    return (at_low - across) * on_low * q_low + (at_high - across) * on_high * q_high + across * z;
  }
  Matrix<N> transform_matrix(double at_low, double at_high, double across) const {
    return (at_low - across) * q_low * q_low.transpose() +
           (at_high - across) * q_high * q_high.transpose() + across * Matrix<N>::Identity();
  }
  /// P(x^a) z. @pre low > 0.
  Vector<N> quadratic_power(double a, const Vector<N>& z) const {
    const double f_low = std::pow(low, a);
    const double f_high = std::pow(high, a);
    return transform(f_low * f_low, f_high * f_high, f_low * f_high, z);
  }
};

template <int N>
Spectrum<N> spectrum(const Vector<N>& x) {
  Spectrum<N> s;
  const double tangent = tangent_norm<N>(x);
  s.low = (x[0] - tangent) / kSqrt2;
  s.high = (x[0] + tangent) / kSqrt2;
  s.q_low.setZero();
  if constexpr (N > 1) {
    if (tangent > 0.0) {
      s.q_low.template tail<N - 1>() = -x.template tail<N - 1>() / (tangent * kSqrt2);
    } else {
      s.q_low[1] = -1.0 / kSqrt2;  // any direction would do
    }
  }
  s.q_high = -s.q_low;
  s.q_low[0] = s.q_high[0] = 1.0 / kSqrt2;
  return s;
}

/// The spectral vectors of @p s as columns, low before high, completed to an orthonormal basis. The
/// third is the tangent turned by a right angle, which keeps the digits of both its rows;
/// Householder's columns, for any N, lose those of a small one, and an iteration with values as far
/// apart as 1e20 then ends too soon.
template <int N>
Matrix<N> basis_of(const Spectrum<N>& s) {
  static_assert(N <= 3, "the basis of a larger cone needs more than one vector beside the two");
  Matrix<N> q;
  if constexpr (N == 1) {
    q(0, 0) = 1.0;
  } else {
    q.col(0) = s.q_low;
    q.col(1) = s.q_high;
    if constexpr (N == 3) q.col(2) << 0.0, -kSqrt2 * s.q_high[2], kSqrt2 * s.q_high[1];
  }
  return q;
}

/// (d) The sum and the product of the spectral values.
template <int N>
double trace(const Vector<N>& x) {
  return kSqrt2 * x[0];
}
template <int N>
double det(const Vector<N>& x) {
  const double tangent = tangent_norm<N>(x);
  return 0.5 * (x[0] - tangent) * (x[0] + tangent);
}

/// x in int C.
template <int N>
bool is_interior(const Vector<N>& x) {
  return x[0] > tangent_norm<N>(x);
}

/// (e) @pre det(x) != 0.
template <int N>
Vector<N> inverse(const Vector<N>& x) {
  return reflect<N>(x) / det<N>(x);
}

/// (f) psi(x) = psi(low) q_low + psi(high) q_high.
template <int N, class Function>
Vector<N> apply(Function&& psi, const Vector<N>& x) {
  const Spectrum<N> s = spectrum<N>(x);
  return s.combine(psi(s.low), psi(s.high));
}
/// (f) @pre the power of both spectral values exists.
template <int N>
Vector<N> power(const Vector<N>& x, double a) {
  return apply<N>([a](double value) { return std::pow(value, a); }, x);
}

/// (g) L(x) y = x o y.
template <int N>
Matrix<N> arrow(const Vector<N>& x) {
  Matrix<N> l = x[0] * Matrix<N>::Identity();
  for (int k = 1; k < N; ++k) l(0, k) = l(k, 0) = x[k];
  return l / kSqrt2;
}

/// L(x)^-1 y. @pre x in int C.
template <int N>
Vector<N> divide(const Vector<N>& y, const Vector<N>& x) {
  Vector<N> z;
  z[0] = reflect<N>(x).dot(y) / (kSqrt2 * det<N>(x));
  for (int k = 1; k < N; ++k) z[k] = (kSqrt2 * y[k] - z[0] * x[k]) / x[0];
  return z;
}

/// (h) P(x), the quadratic representation.
template <int N>
Matrix<N> quadratic(const Vector<N>& x) {
  Matrix<N> p = x * x.transpose();
  const double d = det<N>(x);
  p(0, 0) -= d;
  for (int k = 1; k < N; ++k) p(k, k) += d;
  return p;
}

/// Lemma 3: the scaling point w of x and y, P(w) x = y, by its spectrum. det(w) is known from those
/// of x and y, so that the low value is not a difference of large ones. @pre x, y in int C.
template <int N>
Spectrum<N> scaling_spectrum(const Vector<N>& x, const Vector<N>& y) {
  const double det_x = det<N>(x);
  const double det_y = det<N>(y);
  const double det_w = std::sqrt(det_y / det_x);
  const double divisor = std::sqrt(x.dot(y) + 2.0 * std::sqrt(det_x) * std::sqrt(det_y));
  Spectrum<N> s = spectrum<N>(Vector<N>((y + det_w * reflect<N>(x)) / divisor));
  s.low = det_w / s.high;
  return s;
}
template <int N>
Vector<N> scaling_point(const Vector<N>& x, const Vector<N>& y) {
  return scaling_spectrum<N>(x, y).point();
}

/// Lemma 2: the supremum of theta with x + theta dx in int C; infinity when dx is in C.
/// Taken from the low spectral value of P(x^-1/2) dx (eq. 24), which near the boundary is better
/// conditioned than the lemma's closed form. @p s: of x. @pre x in int C.
template <int N>
double max_step(const Spectrum<N>& s, const Vector<N>& dx) {
  const double on_low = s.q_low.dot(dx);
  const double on_high = s.q_high.dot(dx);
  const Vector<N> beside = dx - on_low * s.q_low - on_high * s.q_high;
  const double a = on_low / s.low;
  const double b = on_high / s.high;
  const double z2 = N < 3 ? 0.0 : beside.squaredNorm() / s.det();
  const double root = std::sqrt((a - b) * (a - b) + 2.0 * z2);
  const double sum = a + b;
  double low = 0.5 * (sum - root);
  if (sum > 0.0) low = (2.0 * a * b - z2) / (sum + root);  // the same without cancellation
  return low < 0.0 ? -1.0 / low : std::numeric_limits<double>::infinity();
}

template <int N>
double max_step(const Vector<N>& x, const Vector<N>& dx) {
  return max_step<N>(spectrum<N>(x), dx);
}

}  // namespace scree::jordan
