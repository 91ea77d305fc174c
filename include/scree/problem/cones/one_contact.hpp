#pragma once

/// The problem of one contact by itself, for every type of cone: given the velocity q that the
/// contact would have without its own impulse, the impulse l with
///
///     u = A l + q,     K in l  _|_  u~ in K*
///
/// | cone                    | how                                                                     |
/// | ---                     | ---                                                                     |
/// | half line               | l = max(0, -q / a)                                                      |
/// | planar, circular        | exactly (cones/circular_contact.hpp)                                    |
/// | equations               | A l = -q, in the least-squares sense where A is singular                |
/// | several discs           | Newton's method on Alart and Curnier's equation, else projected steps   |
///
/// With several discs the exact law is solved by semismooth Newton from the present impulse; where
/// that does not lower the natural map, and for the associated law, the impulse of some projected
/// steps is given, which are a descent of the contact's energy.

#include <algorithm>
#include <array>

#include "scree/problem/cones.hpp"
#include "scree/problem/cones/circular_contact.hpp"
#include "scree/problem/cones/small_matrix.hpp"

namespace scree::cones {

template <class Cone>
class OneContact {
  static constexpr int kDim = Cone::kDim;

 public:
  OneContact(const Cone& cone, const Square<kDim>& a, bool exact)
      : cone_(cone), a_(a), exact_(exact) {
    const double largest = largest_eigenvalue(a);
    rho_ = largest > 0.0 ? 1.0 / largest : 0.0;
  }

  /// The impulse for @p q, from the present one @p l. A contact that nothing can move gets none.
  Rows<kDim> solve(const Rows<kDim>& q, const Rows<kDim>& l) {
    if (rho_ == 0.0) return Rows<kDim>::Zero();
    Rows<kDim> best = cone_.project(l);
    double error = map(best, q).norm();
    if (exact_) newton(q, best, error);
    constexpr int kProjectedSteps = 4;
    for (int step = 0; step < kProjectedSteps && error > kSolved * best.norm(); ++step) {
      best -= map(best, q);
      error = map(best, q).norm();
    }
    return best;
  }

 private:
  static constexpr double kSolved = 1e-13;
  static constexpr int kNewtonSteps = 10;

  /// l - P_K(l - rho u~)
  Rows<kDim> map(const Rows<kDim>& l, const Rows<kDim>& q) const {
    Rows<kDim> u = a_ * l + q;
    if (exact_) u[0] += cone_.shift(u);
    return l - cone_.project(Rows<kDim>(l - rho_ * u));
  }

  /// Newton's method on l = P(l - rho u); @p best and its @p error change where the error falls.
  void newton(const Rows<kDim>& q, Rows<kDim>& best, double& error) const {
    Rows<kDim> l = best;
    for (int step = 0; step < kNewtonSteps && error > kSolved * best.norm(); ++step) {
      const ContactMap<kDim> at = cone_.alart_curnier(Rows<kDim>(l - rho_ * (a_ * l + q)));
      const Square<kDim> slope =
          Square<kDim>::Identity() - at.slope * (Square<kDim>::Identity() - rho_ * a_);
      l += cones::solve(slope, Rows<kDim>(at.value - l));
      if (!l.allFinite()) return;
      const Rows<kDim> inside = cone_.project(l);
      const double next = map(inside, q).norm();
      if (!(next < error)) return;
      best = inside;
      error = next;
    }
  }

  Cone cone_;
  Square<kDim> a_;
  bool exact_;
  double rho_ = 0.0;  ///< 1 over the largest eigenvalue of A
};

template <>
class OneContact<HalfLine> {
 public:
  OneContact(const HalfLine& /*cone*/, const Square<1>& a, bool /*exact*/)
      : response_(a(0, 0) > 0.0 ? 1.0 / a(0, 0) : 0.0) {}
  Rows<1> solve(const Rows<1>& q, const Rows<1>& /*l*/) const {
    return Rows<1>(std::max(0.0, -q[0] * response_));
  }

 private:
  double response_;
};

/// A contact of one disc, that of the plane as one of space with a row of zeros.
template <int kSize>
class OneContact<Discs<kSize>> {
  static constexpr int kDim = 1 + kSize;

 public:
  OneContact(const Discs<kSize>& cone, const Square<kDim>& a, bool exact) : exact_(exact) {
    Eigen::Matrix<double, 3, 3, Eigen::RowMajor> padded;
    padded.setZero();
    padded.template topLeftCorner<kDim, kDim>() = a;
    std::array<double, 9> numbers{};
    std::copy_n(padded.data(), numbers.size(), numbers.begin());
    contact_ = CircularContact(numbers, cone.mu[0]);
  }
  Rows<kDim> solve(const Rows<kDim>& q, const Rows<kDim>& /*l*/) {
    std::array<double, 3> padded{};
    std::array<double, 3> impulse{};
    std::copy_n(q.data(), kDim, padded.begin());
    contact_.solve(exact_, padded.data(), impulse.data());
    return Eigen::Map<const Rows<kDim>>(impulse.data());
  }

 private:
  CircularContact contact_;
  bool exact_;
};

template <int kRows>
class OneContact<Free<kRows>> {
 public:
  OneContact(const Free<kRows>& /*cone*/, const Square<kRows>& a, bool /*exact*/)
      : inverse_(pseudo_inverse(a)) {}
  Rows<kRows> solve(const Rows<kRows>& q, const Rows<kRows>& /*l*/) const { return -inverse_ * q; }

 private:
  Square<kRows> inverse_;
};

template <>
class OneContact<Interval> {
 public:
  OneContact(const Interval& interval, const Square<1>& a, bool /*exact*/)
      : interval_(interval), block_(a(0, 0)) {}
  /// A row that nothing can move keeps the impulse @p l, within its bounds.
  Rows<1> solve(const Rows<1>& q, const Rows<1>& l) const {
    return interval_.project(block_ > 0.0 ? Rows<1>(-q / block_) : l);
  }

 private:
  Interval interval_;
  double block_;
};

}  // namespace scree::cones
