#pragma once

/// One contact of spheres that resists rolling and spinning, for the sweep of sphere_kernel.hpp. By
/// RollingSphereContact (disc_contact.hpp) the normal and the spin stand by themselves, and the
/// force's tangent l_t and p = n x m_t share two by two numbers, so that with v their velocities,
/// R's included,
///
///     p sticks:  l_t <- shrink( l_t - (v_t - c/d_r v_r) / (d_t - c^2/d_r) ),   p <- p - (v_r + c dl_t) / d_r
///     l_t sticks: the same with both exchanged
///
/// is the solution where what sticks stays within its limit; sticking both is either of them. Where
/// neither does, both slide, and are solved in turn from where they are, which goes on from sweep
/// to sweep; more than one round a sweep was measured to save none. Other laws take one projected
/// step (pgs.hpp).

#include "disc_kernel.hpp"

namespace scree {
namespace {

template <class T, int kWidth>
SCREE_INLINE lanes::Lanes<T, kWidth> size_of_triple(const LaneTriple<lanes::Lanes<T, kWidth>>& x) {
  return lanes::root<T, kWidth>(dot(x, x));
}

/// The nearest point to @p x within @p limit of zero.
template <class T, int kWidth>
SCREE_INLINE LaneTriple<lanes::Lanes<T, kWidth>> shrunk(
    const LaneTriple<lanes::Lanes<T, kWidth>>& x, const lanes::Lanes<T, kWidth>& limit) {
  using X = lanes::Lanes<T, kWidth>;
  const X size = size_of_triple<T, kWidth>(x);
  const X factor = size > limit ? limit / size : X{} + T(1);
  return factor * x;
}

template <class X, class Mask>
SCREE_INLINE LaneTriple<X> choose(const Mask& mask, const LaneTriple<X>& a,
                                  const LaneTriple<X>& b) {
  return {mask ? a.x : b.x, mask ? a.y : b.y, mask ? a.z : b.z};
}

/// Impulses, or velocities, of a contact of spheres by parts.
template <class X>
struct RollingParts {
  X normal, spin;
  LaneTriple<X> tangent, roll;  ///< roll: n x that of moments

  SCREE_INLINE RollingParts(const LaneTriple<X>& n, const LaneTriple<X>* of)
      : normal(dot(n, of[0])),
        spin(dot(n, of[1])),
        tangent(of[0] - normal * n),
        roll(cross(n, of[1])) {}
  SCREE_INLINE void put(const LaneTriple<X>& n, LaneTriple<X>* to) const {
    to[0] = tangent + normal * n;
    to[1] = cross(roll, n) + spin * n;
  }
};

template <class T, int kWidth>
struct RollingPair {
  using X = lanes::Lanes<T, kWidth>;
  X step_t, step_r;  ///< 1/d_t, 1/d_r
  X coupling;        ///< c
  X share;           ///< d_t over d_t - c^2/d_r
  X limit_t, limit_r;

  struct Impulses {
    LaneTriple<X> t, r;
  };

  SCREE_INLINE void solve(const LaneTriple<X>& v_t, const LaneTriple<X>& v_r, LaneTriple<X>& l_t,
                          LaneTriple<X>& l_r) const {
    const Impulses rolls = with_free(v_t, v_r, l_t, l_r, step_t, step_r, limit_t);
    const Impulses swapped = with_free(v_r, v_t, l_r, l_t, step_r, step_t, limit_r);
    const Impulses slips{swapped.r, swapped.t};
    const auto r_holds = size_of_triple<T, kWidth>(rolls.r) <= limit_r;
    const auto t_holds = size_of_triple<T, kWidth>(slips.t) <= limit_t;
    Impulses next{choose(t_holds, slips.t, l_t), choose(t_holds, slips.r, l_r)};
    next = {choose(r_holds, rolls.t, next.t), choose(r_holds, rolls.r, next.r)};
    const auto both_slide = !(r_holds | t_holds);
    if (lanes::any<T, kWidth>(both_slide)) {
      const Impulses turns = in_turn(v_t, v_r, l_t, l_r);
      next = {choose(both_slide, turns.t, next.t), choose(both_slide, turns.r, next.r)};
    }
    l_t = next.t;
    l_r = next.r;
  }

 private:
  /// The first of two parts within its limit, as if the second one had none.
  SCREE_INLINE Impulses with_free(const LaneTriple<X>& v_1, const LaneTriple<X>& v_2,
                                  const LaneTriple<X>& l_1, const LaneTriple<X>& l_2,
                                  const X& step_1, const X& step_2, const X& limit_1) const {
    const LaneTriple<X> force = v_1 - coupling * step_2 * v_2;
    const LaneTriple<X> first = shrunk<T, kWidth>(l_1 - share * step_1 * force, limit_1);
    return {first, l_2 - step_2 * (v_2 + coupling * (first - l_1))};
  }
  /// The second for what the first is by now.
  SCREE_INLINE Impulses in_turn(const LaneTriple<X>& v_t, const LaneTriple<X>& v_r,
                                const LaneTriple<X>& l_t, const LaneTriple<X>& l_r) const {
    const LaneTriple<X> t = shrunk<T, kWidth>(l_t - step_t * v_t, limit_t);
    return {t, shrunk<T, kWidth>(l_r - step_r * (v_r + coupling * (t - l_t)), limit_r)};
  }
};

/// The contact solved by exact friction; @p v: velocities, R's included.
template <class T, int kWidth>
SCREE_INLINE void roll_exactly(const BatchNumbers<T, kWidth>& c,
                               const RollingParts<lanes::Lanes<T, kWidth>>& v,
                               RollingParts<lanes::Lanes<T, kWidth>>& l) {
  using Contact = RollingSphereContact;
  using X = lanes::Lanes<T, kWidth>;
  l.normal = lanes::larger(X{}, l.normal - c[Contact::kInverse] * v.normal);
  const X limit = c[Contact::kRolling + 1] * l.normal;
  const X spin = l.spin - c[Contact::kMomentInverse + 1] * v.spin;
  l.spin = lanes::larger(-limit, lanes::smaller(spin, limit));
  const RollingPair<T, kWidth> pair{
      c[Contact::kInverse + 1],  c[Contact::kMomentInverse],       c[Contact::kCoupling],
      c[Contact::kCoupling + 1], c[Contact::kFriction] * l.normal, c[Contact::kRolling] * l.normal};
  pair.solve(v.tangent, v.roll, l.tangent, l.roll);
}

/// @p l becomes the nearest point of K in the metric whose pulls are @p pull.
template <class T, int kWidth>
SCREE_INLINE void project_rolling(const BatchNumbers<T, kWidth>& c,
                                  const lanes::Lanes<T, kWidth>* pull,
                                  RollingParts<lanes::Lanes<T, kWidth>>& l) {
  using Contact = RollingSphereContact;
  using X = lanes::Lanes<T, kWidth>;
  const X mu[3] = {c[Contact::kFriction], c[Contact::kRolling], c[Contact::kRolling + 1]};
  const X size[3] = {size_of_triple<T, kWidth>(l.tangent), size_of_triple<T, kWidth>(l.roll),
                     lanes::larger(l.spin, -l.spin)};
  l.normal = nearest_normal<T, kWidth, 3>(l.normal, size, mu, pull);
  l.tangent = shrunk<T, kWidth>(l.tangent, mu[0] * l.normal);
  l.roll = shrunk<T, kWidth>(l.roll, mu[1] * l.normal);
  const X limit = mu[2] * l.normal;
  l.spin = lanes::larger(-limit, lanes::smaller(l.spin, limit));
}

/// One projected step, with De Saxce's shift where @p shifted.
template <class T, int kWidth>
SCREE_INLINE void roll_by_projection(const BatchNumbers<T, kWidth>& c, bool shifted, T step,
                                     const RollingParts<lanes::Lanes<T, kWidth>>& v,
                                     RollingParts<lanes::Lanes<T, kWidth>>& l) {
  using Contact = RollingSphereContact;
  using X = lanes::Lanes<T, kWidth>;
  X normal = v.normal;
  if (shifted) {
    normal += c[Contact::kFriction] * size_of_triple<T, kWidth>(v.tangent) +
              c[Contact::kRolling] * size_of_triple<T, kWidth>(v.roll) +
              c[Contact::kRolling + 1] * lanes::larger(v.spin, -v.spin);
  }
  l.normal -= step * c[Contact::kInverse] * normal;
  l.tangent = l.tangent - step * c[Contact::kInverse + 1] * v.tangent;
  l.roll = l.roll - step * c[Contact::kMomentInverse] * v.roll;
  l.spin -= step * c[Contact::kMomentInverse + 1] * v.spin;
  const X pull[3] = {c[Contact::kPull], c[Contact::kMomentPull], c[Contact::kMomentPull + 1]};
  project_rolling<T, kWidth>(c, pull, l);
}

/// The result @p x of a batch of contacts for the velocities @p u, without R's, and the impulses
/// @p l, before inertia: forces, then moments, in the world frame.
template <class T, int kWidth, LocalLaw kLaw>
SCREE_INLINE void rolling_impulse(const SweepArguments<T>& a, const BatchNumbers<T, kWidth>& c,
                                  const LaneTriple<lanes::Lanes<T, kWidth>>& n,
                                  const LaneTriple<lanes::Lanes<T, kWidth>>* u,
                                  const LaneTriple<lanes::Lanes<T, kWidth>>* l,
                                  LaneTriple<lanes::Lanes<T, kWidth>>* x) {
  using Contact = RollingSphereContact;
  using X = lanes::Lanes<T, kWidth>;
  const RollingParts<X> before(n, l);
  RollingParts<X> v(n, u);
  v.normal += c[Contact::kCompliance] * before.normal;
  v.tangent = v.tangent + c[Contact::kCompliance + 1] * before.tangent;
  v.roll = v.roll + c[Contact::kMomentCompliance] * before.roll;
  v.spin += c[Contact::kMomentCompliance + 1] * before.spin;
  RollingParts<X> next = before;
  if constexpr (kLaw == LocalLaw::coulomb) {
    roll_exactly<T, kWidth>(c, v, next);
  } else {
    roll_by_projection<T, kWidth>(c, kLaw == LocalLaw::projected, a.step, v, next);
  }
  if (a.relaxation != T(1)) {
    const X factor = X{} + a.relaxation;
    next.normal = before.normal + factor * (next.normal - before.normal);
    next.tangent = before.tangent + factor * (next.tangent - before.tangent);
    next.roll = before.roll + factor * (next.roll - before.roll);
    next.spin = before.spin + factor * (next.spin - before.spin);
    const X mu[3] = {c[Contact::kFriction], c[Contact::kRolling], c[Contact::kRolling + 1]};
    project_rolling<T, kWidth>(c, mu, next);
  }
  next.put(n, x);
}

}  // namespace
}  // namespace scree
