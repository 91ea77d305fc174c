#pragma once

/// One contact of any two bodies, in its frame, for the sweeps of general_kernel.hpp. Exact
/// friction: the scalar equation of circular_contact.hpp by Newton's method from the alpha of the
/// sweep before, in all lanes until each sticks, is open or slides by the law; a lane that does not
/// get there is solved by itself.

#include "sphere_kernel.hpp"

namespace scree {
namespace {

/// Newton steps in all lanes before those that lag are solved one by one.
inline constexpr int kNewtonSteps = 6;
/// How far |l_t| may be from mu l_n, relative. The steps go on from sweep to sweep, so that the
/// solution has no such error.
template <class T>
inline constexpr T kLocalTolerance = static_cast<T>(sizeof(T) == sizeof(double) ? 1e-4 : 1e-3);

/// D_ii in its factors (kernels.hpp).
template <class T, int kWidth>
struct LocalBlock {
  using X = lanes::Lanes<T, kWidth>;
  X nn;      ///< D_nn
  X c1, c2;  ///< D_nt / D_nn
  X s11;     ///< S, and what is left of its last entry
  X c3, rest;
  X n1 = c1 * nn;
  X n2 = c2 * nn;
  X s12 = c3 * s11;
  X s22 = rest + c3 * s12;
  X t11 = s11 + c1 * n1;  ///< D_tt
  X t12 = s12 + c1 * n2;
  X t22 = s22 + c2 * n2;

  SCREE_INLINE explicit LocalBlock(const BatchNumbers<T, kWidth>& c)
      : nn(c[LocalContact::kPivots]),
        c1(c[LocalContact::kFactors]),
        c2(c[LocalContact::kFactors + 1]),
        s11(c[LocalContact::kPivots + 1]),
        c3(c[LocalContact::kFactors + 2]),
        rest(c[LocalContact::kPivots + 2]) {}
  /// 1/D_nn, or 0 where nothing moves along the normal.
  SCREE_INLINE X inverse() const { return nn > X{} ? T(1) / nn : X{}; }
  struct Tangent {
    X x1, x2;
  };
  /// S^-1 b
  SCREE_INLINE Tangent solve(const X& b1, const X& b2) const {
    const X x2 = (b2 - c3 * b1) / rest;
    return {b1 / s11 - c3 * x2, x2};
  }
  /// trace(D_ii) / 3
  SCREE_INLINE X weight() const { return (nn + t11 + t22) * T(1.0 / 3.0); }
};

template <class T, int kWidth>
struct LocalProblem {
  using X = lanes::Lanes<T, kWidth>;
  LocalBlock<T, kWidth> d;
  X mu;
  X normal;                        ///< p: the normal impulse without tangential ones
  X s1, s2;                        ///< s
  X determinant = d.s11 * d.rest;  ///< of S
  X trace = d.s11 + d.s22;

  struct Point {
    X inverse;  ///< 1 / det(S + alpha)
    X t1, t2;   ///< l_t
    X n;        ///< l_n
    X size;     ///< |l_t|
  };
  SCREE_INLINE Point at(const X& alpha) const {
    Point v;
    v.inverse = T(1) / (determinant + alpha * (trace + alpha));
    v.t1 = -v.inverse * ((d.s22 + alpha) * s1 - d.s12 * s2);
    v.t2 = -v.inverse * ((d.s11 + alpha) * s2 - d.s12 * s1);
    v.n = normal - d.c1 * v.t1 - d.c2 * v.t2;
    v.size = lanes::root<T, kWidth>(v.t1 * v.t1 + v.t2 * v.t2) + kTiny<T>;
    return v;
  }
  /// The point of alpha = 0.
  SCREE_INLINE Point without_slip() const {
    Point v;
    const auto [t1, t2] = d.solve(-s1, -s2);
    v.t1 = t1;
    v.t2 = t2;
    v.n = normal - d.c1 * t1 - d.c2 * t2;
    v.size = lanes::root<T, kWidth>(t1 * t1 + t2 * t2) + kTiny<T>;
    return v;
  }
  /// Slope of mu l_n / |l_t| times |l_t|^2, from y = d l_t / d alpha.
  SCREE_INLINE X slope(const Point& v, const X& y1, const X& y2) const {
    const X size_slope = (v.t1 * y1 + v.t2 * y2) / v.size;
    const X normal_slope = -(d.c1 * y1 + d.c2 * y2);
    return mu * (normal_slope * v.size - v.n * size_slope);
  }
  /// Whether mu l_n = |l_t|; false for what is not a number.
  SCREE_INLINE auto slides(const Point& v) const {
    const X excess = mu * v.n - v.size;
    return lanes::larger(excess, -excess) <= kLocalTolerance<T> * v.size;
  }
  /// The next alpha; @p start bounds it where the step leads below zero.
  SCREE_INLINE X newton(const X& alpha, const Point& v, const X& start) const {
    const X zero{};
    const X y1 = -v.inverse * ((d.s22 + alpha) * v.t1 - d.s12 * v.t2);
    const X y2 = -v.inverse * ((d.s11 + alpha) * v.t2 - d.s12 * v.t1);
    const X next = alpha - (mu * v.n - v.size) * v.size / (slope(v, y1, y2) + kTiny<T>);
    const X bounded = lanes::smaller(next, T(16) * alpha);
    return bounded > zero ? bounded : lanes::smaller(start, T(0.25) * alpha);
  }
};

/// Solves the lanes that @p lagging marks one by one.
template <class T, int kWidth, class Mask>
void solve_lanes(const SweepArguments<T>& a, const LocalProblem<T, kWidth>& local,
                 const Mask& lagging, const lanes::Lanes<T, kWidth>* q, lanes::Lanes<T, kWidth>* l,
                 lanes::Lanes<T, kWidth>& alpha) {
  const auto& d = local.d;
  const lanes::Lanes<T, kWidth> entries[7] = {d.nn, d.n1, d.n2, d.t11, d.t12, d.t22, local.mu};
  T entry[7][kWidth];
  T velocity[3][kWidth];
  T impulse[3][kWidth];
  T shift[kWidth];
  for (int k = 0; k < 7; ++k) lanes::store(entries[k], entry[k]);
  for (int k = 0; k < 3; ++k) {
    lanes::store(q[k], velocity[k]);
    lanes::store(l[k], impulse[k]);
  }
  lanes::store(alpha, shift);
  for (int lane = 0; lane < kWidth; ++lane) {
    bool lags = false;
    if constexpr (kWidth == 1) {
      lags = lagging;
    } else {
      lags = lagging[lane] != 0;
    }
    if (!lags) continue;
    double block[6];
    for (int k = 0; k < 6; ++k) block[k] = static_cast<double>(entry[k][lane]);
    const double mu = static_cast<double>(entry[6][lane]);
    const double own[3] = {velocity[0][lane], velocity[1][lane], velocity[2][lane]};
    double exact[3];
    shift[lane] = static_cast<T>(a.exact(block, mu, own, exact));
    for (int k = 0; k < 3; ++k) impulse[k][lane] = static_cast<T>(exact[k]);
  }
  for (int k = 0; k < 3; ++k) l[k] = lanes::load<lanes::Lanes<T, kWidth>>(impulse[k]);
  alpha = lanes::load<lanes::Lanes<T, kWidth>>(shift);
}

/// Exact friction: the impulses for the velocities @p u. @returns trace(D_ii) / 3.
template <class T, int kWidth>
SCREE_INLINE lanes::Lanes<T, kWidth> solve_exactly(const SweepArguments<T>& a,
                                                   const BatchNumbers<T, kWidth>& c,
                                                   const lanes::Lanes<T, kWidth>* u,
                                                   lanes::Lanes<T, kWidth>* l) {
  using Contact = LocalContact;
  using X = lanes::Lanes<T, kWidth>;
  const X zero{};
  const X one = zero + T(1);
  const X mu = c[Contact::kFriction];
  const LocalBlock<T, kWidth> d(c);
  const X q[3] = {u[0] - (d.nn * l[0] + d.n1 * l[1] + d.n2 * l[2]),
                  u[1] - (d.n1 * l[0] + d.t11 * l[1] + d.t12 * l[2]),
                  u[2] - (d.n2 * l[0] + d.t12 * l[1] + d.t22 * l[2])};
  const X p = lanes::larger(zero, -q[0] * d.inverse());
  const LocalProblem<T, kWidth> local{d, mu, p, q[1] + d.n1 * p, q[2] + d.n2 * p};

  typename LocalProblem<T, kWidth>::Point stick = local.without_slip();
  const auto open = p <= zero;
  const auto sticks = (stick.n >= zero) & (stick.size <= mu * stick.n + T(2) * kTiny<T>);
  // Without friction the tangent is zero whatever alpha.
  const auto slick = mu <= zero;

  // Newton's step from alpha = 0 where the slope there is positive, else a guess of its size.
  const auto [y1, y2] = d.solve(-stick.t1, -stick.t2);
  const X slope = local.slope(stick, y1, y2);
  const X guess = lanes::smaller(
      lanes::root<T, kWidth>(local.s1 * local.s1 + local.s2 * local.s2) / (mu * p + kTiny<T>),
      zero + T(1e18));
  const X first = (stick.size - mu * stick.n) * stick.size / (slope + kTiny<T>);
  const X start = lanes::smaller(slope > zero ? first : guess, T(4) * guess);
  X alpha = c[Contact::kShift];
  alpha = alpha > zero ? alpha : start;

  // One step at least, so that alpha goes on to its limit from sweep to sweep.
  auto point = local.at(alpha);
  const auto settled = open | sticks | slick;
  auto lagging = !settled;
  for (int it = 0; it < kNewtonSteps && lanes::any<T, kWidth>(lagging); ++it) {
    alpha = local.newton(alpha, point, start);
    point = local.at(alpha);
    lagging = !(settled | local.slides(point));
  }
  l[0] = sticks ? stick.n : lanes::larger(zero, slick ? p : point.n);
  l[1] = sticks ? stick.t1 : point.t1;
  l[2] = sticks ? stick.t2 : point.t2;
  if (lanes::any<T, kWidth>(lagging)) solve_lanes<T, kWidth>(a, local, lagging, q, l, alpha);
  const X scale = lanes::smaller(
      one, mu * l[0] / (lanes::root<T, kWidth>(l[1] * l[1] + l[2] * l[2]) + kTiny<T>));
  l[0] = open ? zero : l[0];
  l[1] = open ? zero : scale * l[1];
  l[2] = open ? zero : scale * l[2];
  c.put(Contact::kShift, (open | sticks) ? zero : alpha);
  return d.weight();
}

/// One projected step in the scales of pgs.hpp. @returns trace(D_ii) / 3.
template <class T, int kWidth>
SCREE_INLINE lanes::Lanes<T, kWidth> solve_projected(const SweepArguments<T>& a,
                                                     const BatchNumbers<T, kWidth>& c,
                                                     const lanes::Lanes<T, kWidth>* u,
                                                     lanes::Lanes<T, kWidth>* l, bool shifted) {
  using Contact = LocalContact;
  using X = lanes::Lanes<T, kWidth>;
  const X mu = c[Contact::kFriction];
  const X step_n = a.step * c[Contact::kInverse];
  const X step_t = a.step * c[Contact::kInverse + 1];
  const X shift = mu * lanes::root<T, kWidth>(u[1] * u[1] + u[2] * u[2]);
  l[0] -= step_n * (shifted ? u[0] + shift : u[0]);
  l[1] -= step_t * u[1];
  l[2] -= step_t * u[2];
  const X size = lanes::root<T, kWidth>(l[1] * l[1] + l[2] * l[2]);
  const X scale = project_scaled<T, kWidth>(l[0], size, mu, c[Contact::kPull]);
  l[1] *= scale;
  l[2] *= scale;
  return c[Contact::kWeight];
}

/// The result of a batch of contacts for the velocities @p u, before inertia, and trace(D_ii) / 3.
template <class T, int kWidth, LocalLaw kLaw>
SCREE_INLINE lanes::Lanes<T, kWidth> solve_local(const SweepArguments<T>& a,
                                                 const BatchNumbers<T, kWidth>& c,
                                                 const lanes::Lanes<T, kWidth>* u,
                                                 lanes::Lanes<T, kWidth>* l) {
  using X = lanes::Lanes<T, kWidth>;
  if constexpr (kLaw != LocalLaw::coulomb) {
    return solve_projected<T, kWidth>(a, c, u, l, kLaw == LocalLaw::projected);
  } else {
    const X before[3] = {l[0], l[1], l[2]};
    const X weight = solve_exactly<T, kWidth>(a, c, u, l);
    if (a.relaxation != T(1)) {
      const X factor = X{} + a.relaxation;
      for (std::size_t k = 0; k < 3; ++k) l[k] = before[k] + factor * (l[k] - before[k]);
      const X mu = c[LocalContact::kFriction];
      const X size = lanes::root<T, kWidth>(l[1] * l[1] + l[2] * l[2]);
      const X scale = project_scaled<T, kWidth>(l[0], size, mu, mu);
      l[1] *= scale;
      l[2] *= scale;
    }
    return weight;
  }
}

}  // namespace
}  // namespace scree
