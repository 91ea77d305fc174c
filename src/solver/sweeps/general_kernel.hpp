#pragma once

/// The sweep over contacts of any two bodies (kernels.hpp), in the contact's frame. Exact friction: the scalar
/// equation of circular_contact.hpp by Newton's method from the alpha of the sweep before, in all lanes until each
/// sticks, is open or slides by the law; a lane that does not get there is solved by itself.

#include "sphere_kernel.hpp"

namespace scree {
namespace {

/// Newton steps in all lanes before those that lag are solved one by one.
inline constexpr int kNewtonSteps = 6;
/// Of |l_t| against mu l_n. The steps go on from sweep to sweep, so that the solution has no such error.
template <class T>
inline constexpr T kLocalTolerance = static_cast<T>(sizeof(T) == sizeof(double) ? 1e-4 : 1e-3);

/// Whether any lane of a comparison holds.
template <class T, int kWidth, class Mask>
SCREE_INLINE bool any(const Mask& mask) {
  if constexpr (kWidth == 1) {
    return mask;
  } else {
#if defined(SCREE_AVX512)
    if constexpr (sizeof(Mask) == 64 && sizeof(T) == 8)
      return _mm512_movepi64_mask((__m512i)mask) != 0;
    if constexpr (sizeof(Mask) == 64 && sizeof(T) == 4)
      return _mm512_movepi32_mask((__m512i)mask) != 0;
#endif
#if defined(SCREE_AVX2)
    if constexpr (sizeof(Mask) == 32) return _mm256_testz_si256((__m256i)mask, (__m256i)mask) == 0;
#endif
    bool found = false;
    for (int i = 0; i < kWidth; ++i) found = found || mask[i] != 0;
    return found;
  }
}

template <class T, int kWidth>
struct LocalProblem {
  using X = lanes::Lanes<T, kWidth>;
  using Contact = GeneralContact;
  BatchNumbers<T, kWidth> c;
  X mu;
  X normal;  ///< p: the normal impulse without tangential ones
  X s1, s2;  ///< s
  X c1, c2;  ///< A_nt / A_nn
  X schur11 = c[Contact::kSchur];
  X schur12 = c[Contact::kSchur + 1];
  X schur22 = c[Contact::kSchur + 2];

  struct Point {
    X inverse;  ///< 1 / det(S + alpha)
    X t1, t2;   ///< l_t
    X n;        ///< l_n
    X size;     ///< |l_t|
  };
  SCREE_INLINE Point at(const X& alpha) const {
    const X a = schur11 + alpha;
    const X d = schur22 + alpha;
    Point v;
    v.inverse = T(1) / (a * d - schur12 * schur12);
    v.t1 = -v.inverse * (d * s1 - schur12 * s2);
    v.t2 = -v.inverse * (a * s2 - schur12 * s1);
    v.n = normal - c1 * v.t1 - c2 * v.t2;
    v.size = lanes::root<T, kWidth>(v.t1 * v.t1 + v.t2 * v.t2) + kTiny<T>;
    return v;
  }
  /// Slope of mu l_n / |l_t| times |l_t|^2, from y = d l_t / d alpha.
  SCREE_INLINE X slope(const Point& v, const X& y1, const X& y2) const {
    const X size_slope = (v.t1 * y1 + v.t2 * y2) / v.size;
    const X normal_slope = -(c1 * y1 + c2 * y2);
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
    const X y1 = -v.inverse * ((schur22 + alpha) * v.t1 - schur12 * v.t2);
    const X y2 = -v.inverse * ((schur11 + alpha) * v.t2 - schur12 * v.t1);
    const X next = alpha - (mu * v.n - v.size) * v.size / (slope(v, y1, y2) + kTiny<T>);
    const X bounded = lanes::smaller(next, T(16) * alpha);
    return bounded > zero ? bounded : lanes::smaller(start, T(0.25) * alpha);
  }
};

/// Solves the lanes that @p lagging marks one by one.
template <class T, int kWidth, class Mask>
void solve_lanes(const SweepArguments<T>& a, const BatchNumbers<T, kWidth>& c, const Mask& lagging,
                 const lanes::Lanes<T, kWidth>* q, lanes::Lanes<T, kWidth>* l,
                 lanes::Lanes<T, kWidth>& alpha) {
  using Contact = GeneralContact;
  T velocity[3][kWidth];
  T impulse[3][kWidth];
  T shift[kWidth];
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
    for (std::size_t k = 0; k < 6; ++k) {
      block[k] = static_cast<double>(
          c.at[(Contact::kBlock + k) * kWidth + static_cast<std::size_t>(lane)]);
    }
    const double mu =
        static_cast<double>(c.at[Contact::kFriction * kWidth + static_cast<std::size_t>(lane)]);
    const double own[3] = {velocity[0][lane], velocity[1][lane], velocity[2][lane]};
    double exact[3];
    shift[lane] = static_cast<T>(a.exact(block, mu, own, exact));
    for (int k = 0; k < 3; ++k) impulse[k][lane] = static_cast<T>(exact[k]);
  }
  for (int k = 0; k < 3; ++k) l[k] = lanes::load<lanes::Lanes<T, kWidth>>(impulse[k]);
  alpha = lanes::load<lanes::Lanes<T, kWidth>>(shift);
}

/// Exact friction: the impulses for the velocities @p u.
template <class T, int kWidth>
SCREE_INLINE void solve_exactly(const SweepArguments<T>& a, const BatchNumbers<T, kWidth>& c,
                                const lanes::Lanes<T, kWidth>* u, lanes::Lanes<T, kWidth>* l) {
  using Contact = GeneralContact;
  using X = lanes::Lanes<T, kWidth>;
  const X zero{};
  const X one = zero + T(1);
  const X mu = c[Contact::kFriction];
  const X nn = c[Contact::kBlock];
  const X n1 = c[Contact::kBlock + 1];
  const X n2 = c[Contact::kBlock + 2];
  const X b11 = c[Contact::kBlock + 3];
  const X b12 = c[Contact::kBlock + 4];
  const X b22 = c[Contact::kBlock + 5];
  const X inverse = c[Contact::kInverse];
  const X q[3] = {u[0] - (nn * l[0] + n1 * l[1] + n2 * l[2]),
                  u[1] - (n1 * l[0] + b11 * l[1] + b12 * l[2]),
                  u[2] - (n2 * l[0] + b12 * l[1] + b22 * l[2])};
  const X p = lanes::larger(zero, -q[0] * inverse);
  const LocalProblem<T, kWidth> local{
      c, mu, p, q[1] + n1 * p, q[2] + n2 * p, n1 * inverse, n2 * inverse};

  const X i11 = c[Contact::kStick];
  const X i12 = c[Contact::kStick + 1];
  const X i22 = c[Contact::kStick + 2];
  typename LocalProblem<T, kWidth>::Point stick;
  stick.t1 = -(i11 * local.s1 + i12 * local.s2);
  stick.t2 = -(i12 * local.s1 + i22 * local.s2);
  stick.n = p - local.c1 * stick.t1 - local.c2 * stick.t2;
  stick.size = lanes::root<T, kWidth>(stick.t1 * stick.t1 + stick.t2 * stick.t2) + kTiny<T>;
  const auto open = p <= zero;
  const auto sticks = (stick.n >= zero) & (stick.size <= mu * stick.n + T(2) * kTiny<T>);
  // Without friction the tangent is zero whatever alpha.
  const auto slick = mu <= zero;

  // Newton's step from alpha = 0 where the slope there is positive, else a guess of its size.
  const X y1 = -(i11 * stick.t1 + i12 * stick.t2);
  const X y2 = -(i12 * stick.t1 + i22 * stick.t2);
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
  for (int it = 0; it < kNewtonSteps && any<T, kWidth>(lagging); ++it) {
    alpha = local.newton(alpha, point, start);
    point = local.at(alpha);
    lagging = !(settled | local.slides(point));
  }
  l[0] = sticks ? stick.n : lanes::larger(zero, slick ? p : point.n);
  l[1] = sticks ? stick.t1 : point.t1;
  l[2] = sticks ? stick.t2 : point.t2;
  if (any<T, kWidth>(lagging)) solve_lanes<T, kWidth>(a, c, lagging, q, l, alpha);
  const X scale = lanes::smaller(
      one, mu * l[0] / (lanes::root<T, kWidth>(l[1] * l[1] + l[2] * l[2]) + kTiny<T>));
  l[0] = open ? zero : l[0];
  l[1] = open ? zero : scale * l[1];
  l[2] = open ? zero : scale * l[2];
  c.put(Contact::kShift, (open | sticks) ? zero : alpha);
}

/// One projected step in the scales of pgs.hpp.
template <class T, int kWidth>
SCREE_INLINE void solve_projected(const SweepArguments<T>& a, const BatchNumbers<T, kWidth>& c,
                                  const lanes::Lanes<T, kWidth>* u, lanes::Lanes<T, kWidth>* l,
                                  bool shifted) {
  using Contact = GeneralContact;
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
}

template <class T, int kWidth, LocalLaw kLaw>
double sweep_general(const SweepArguments<T>& a) {
  using Contact = GeneralContact;
  using X = lanes::Lanes<T, kWidth>;
  using Bodies = lanes::BodyPacks<T, kWidth>;
  constexpr std::size_t kLanes = kWidth;
  constexpr std::size_t kFlush = 64;
  const X momentum = X{} + a.momentum;
  double moved = 0.0;
  X sum{};
  for (std::size_t batch = 0; batch < a.n_batches; ++batch) {
    const BatchNumbers<T, kWidth> c{a.contacts + batch * Contact::kNumbers * kLanes};
    const BatchNumbers<T, kWidth> impulse{a.impulse + batch * 3 * kLanes};
    const BatchNumbers<T, kWidth> result{a.result + batch * 3 * kLanes};
    const std::int32_t* first = a.bodies + batch * 2 * kLanes;
    const std::int32_t* second = first + kLanes;
    X p[lanes::kRow];
    X q[lanes::kRow];
    Bodies::load(a.rows, first, p);
    Bodies::load(a.rows, second, q);

    X u[3];
    X l[3];
    X before[3];
    for (std::size_t k = 0; k < 3; ++k) {
      before[k] = l[k] = impulse[k];
      u[k] = c[Contact::kVelocity + k] + c[Contact::kCompliance + k] * l[k];
      for (std::size_t d = 0; d < 6; ++d) {
        u[k] += c[6 * k + d] * p[d] + c[18 + 6 * k + d] * q[d];
      }
    }
    if constexpr (kLaw == LocalLaw::coulomb) {
      solve_exactly<T, kWidth>(a, c, u, l);
      if (a.relaxation != T(1)) {
        const X factor = X{} + a.relaxation;
        for (std::size_t k = 0; k < 3; ++k) l[k] = before[k] + factor * (l[k] - before[k]);
        const X mu = c[Contact::kFriction];
        const X size = lanes::root<T, kWidth>(l[1] * l[1] + l[2] * l[2]);
        const X scale = project_scaled<T, kWidth>(l[0], size, mu, mu);
        l[1] *= scale;
        l[2] *= scale;
      }
    } else {
      solve_projected<T, kWidth>(a, c, u, l, kLaw == LocalLaw::projected);
    }
    X change[3];
    for (std::size_t k = 0; k < 3; ++k) {
      impulse.put(k, l[k] + momentum * (l[k] - result[k]));
      result.put(k, l[k]);
      change[k] = l[k] - before[k];
    }
    sum += c[Contact::kWeight] *
           (change[0] * change[0] + change[1] * change[1] + change[2] * change[2]);
    for (std::size_t d = 0; d < 6; ++d) {
      p[d] += p[6] * (c[d] * change[0] + c[6 + d] * change[1] + c[12 + d] * change[2]);
      q[d] += q[6] * (c[18 + d] * change[0] + c[24 + d] * change[1] + c[30 + d] * change[2]);
    }
    Bodies::store(a.rows, first, p);
    Bodies::store(a.rows, second, q);
    if (batch % kFlush == kFlush - 1) {
      moved += lanes::sum<T, kWidth>(sum);
      sum = X{};
    }
  }
  return moved + lanes::sum<T, kWidth>(sum);
}

/// Every kernel of this machine.
template <class T, int kWidth>
SweepKernels<T> kernels_of(const char* name) {
  return {
      name,
      kWidth,
      {sweep_spheres<T, kWidth, LocalLaw::coulomb>, sweep_spheres<T, kWidth, LocalLaw::associated>,
       sweep_spheres<T, kWidth, LocalLaw::projected>},
      {sweep_general<T, kWidth, LocalLaw::coulomb>, sweep_general<T, kWidth, LocalLaw::associated>,
       sweep_general<T, kWidth, LocalLaw::projected>}};
}

}  // namespace
}  // namespace scree
