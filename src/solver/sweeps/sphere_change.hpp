#pragma once

/// One contact of spheres that is refined: the change d of its impulse over a base b (SphereBase),
/// along n, t and q, from changes alone.
///
/// | symbol | meaning                                                                             |
/// | ---    | ---                                                                                 |
/// | u      | velocity at the contact with R (b + d)                                              |
/// | a      | d - D^-1 u: the change before it is brought into the cone                           |
/// | z      | b + a, whose tangential part is (b_t + a_t, a_q), of size s                          |
/// | room   | mu b_n - b_t                                                                        |
/// | x      | by how much z is outside the cone: s - b_t - mu a_n - room                          |
/// | v      | s - z_t, by which z has turned from t                                               |
/// | e      | mu d_t/d_n of sphere_kernel.hpp, 0 with exact friction                              |
///
/// No number is a difference of larger ones:
///
///     s - b_t = (a_t (2 b_t + a_t) + a_q^2) / (s + b_t),        v = a_q^2 / (s + z_t) where z_t > 0
///     x <= 0: d = a
///     x > 0:  d_n = (a_n + e (s - b_t - room)) / (1 + mu e)     with exact friction a_n, -b_n at least
///             d_t = room + mu d_n - mu l_n v / s,   d_q = mu l_n a_q / s,   l_n = b_n + d_n
///     l_n <= 0: d = -b
///
/// What slides has a velocity along t that is not small, of which d_t and d_q have no part. By the
/// associated law its normal velocity is not small either, nor by a projected step what is added to
/// it, mu |u_t|; they go into d_n with u_t alone, and these sums are small:
///
///     a_n + e (s - b_t) = d_n + e (d_t + v) - D_nn^-1 w,     w = u_n + mu u_t   (associated)
///                                                            w = u_n + mu (|u_t| + u_t)   (projected)

#include "batch_numbers.hpp"

namespace scree {
namespace {

/// Along n, t and q of a base.
template <class X>
struct LocalTriple {
  X n, t, q;
};

/// @p size - @p along of a vector (along, across) of this size.
template <class T, int kWidth>
SCREE_INLINE lanes::Lanes<T, kWidth> size_beyond(const lanes::Lanes<T, kWidth>& size,
                                                 const lanes::Lanes<T, kWidth>& along,
                                                 const lanes::Lanes<T, kWidth>& across) {
  using X = lanes::Lanes<T, kWidth>;
  const X zero{};
  const X turned = across * across / (size + lanes::larger(zero, along));
  return along > zero ? turned : size - along;
}

template <class T, int kWidth>
SCREE_INLINE lanes::Lanes<T, kWidth> size_of(const lanes::Lanes<T, kWidth>& along,
                                             const lanes::Lanes<T, kWidth>& across) {
  using X = lanes::Lanes<T, kWidth>;
  return lanes::larger(lanes::root<T, kWidth>(along * along + across * across), X{} + kTinySize<T>);
}

/// u, its normal with what a projected step adds, and w.
template <class X>
struct LocalVelocity {
  LocalTriple<X> u;
  X w;
};

/// @param moved what changes have made of the velocity
template <class T, int kWidth, LocalLaw kLaw>
SCREE_INLINE LocalVelocity<lanes::Lanes<T, kWidth>> velocity_of_change(
    const BatchNumbers<T, kWidth>& c, const LocalTriple<lanes::Lanes<T, kWidth>>& moved,
    const LocalTriple<lanes::Lanes<T, kWidth>>& d) {
  using Contact = SphereContact;
  using X = lanes::Lanes<T, kWidth>;
  const X mu = c[Contact::kFriction];
  const X yield_t = c[Contact::kCompliance + 1];
  const X own_t = c[Contact::kVelocity + 1];
  const X moved_t = moved.t + yield_t * d.t;
  LocalTriple<X> u{c[Contact::kVelocity] + moved.n + c[Contact::kCompliance] * d.n, own_t + moved_t,
                   c[Contact::kVelocity + 2] + moved.q + yield_t * d.q};
  X w = u.n;
  if constexpr (kLaw == LocalLaw::associated) {  // whose first number is along n + mu t
    w += mu * moved_t;
    u.n -= mu * own_t;
  }
  if constexpr (kLaw == LocalLaw::projected) {
    const X slip = size_of<T, kWidth>(u.t, u.q);
    w += mu * size_beyond<T, kWidth>(slip, -u.t, u.q);
    u.n += mu * slip;
  }
  return {u, w};
}

/// d brought into the cone. @param a with the normal of exact friction, -b_n at least
/// @param outside d_n where z is outside
template <class T, int kWidth>
SCREE_INLINE LocalTriple<lanes::Lanes<T, kWidth>> in_cone(
    const BatchNumbers<T, kWidth>& base, const lanes::Lanes<T, kWidth>& mu,
    const LocalTriple<lanes::Lanes<T, kWidth>>& a, const lanes::Lanes<T, kWidth>& outside,
    const LocalTriple<lanes::Lanes<T, kWidth>>& before) {
  using X = lanes::Lanes<T, kWidth>;
  const X zero{};
  const X b_n = base[SphereBase::kNormal];
  const X b_t = base[SphereBase::kSize];
  const X room = base[SphereBase::kRoom];
  const X z_t = b_t + a.t;
  const X s = size_of<T, kWidth>(z_t, a.q);
  const X growth = (a.t * (b_t + z_t) + a.q * a.q) / (s + b_t);
  const auto slides = growth - mu * a.n > room;
  const X d_n = slides ? outside : a.n;
  const X l_n = b_n + d_n;
  const X share = mu * l_n / s;
  const X d_t = room + mu * d_n - share * size_beyond<T, kWidth>(s, z_t, a.q);
  // Without friction the tangential part of d, which makes the rounding of b good, is kept.
  const auto slick = mu <= zero;
  const X t = slick ? before.t : (slides ? d_t : a.t);
  const X q = slick ? before.q : (slides ? share * a.q : a.q);
  const auto open = l_n <= zero;
  return {open ? -b_n : d_n, open ? -b_t : t, open ? zero : q};
}

/// The next change of a batch of contacts, before inertia and without relaxation, from the present
/// one, @p d, and what changes have made of the velocity, @p moved, in the world frame.
template <class T, int kWidth, LocalLaw kLaw>
SCREE_INLINE LaneTriple<lanes::Lanes<T, kWidth>> sphere_change(
    const BatchNumbers<T, kWidth>& c, const BatchNumbers<T, kWidth>& base,
    const LaneTriple<lanes::Lanes<T, kWidth>>& n, const LaneTriple<lanes::Lanes<T, kWidth>>& moved,
    const LaneTriple<lanes::Lanes<T, kWidth>>& d, T step) {
  using X = lanes::Lanes<T, kWidth>;
  const LaneTriple<X> t = base.triple(SphereBase::kTangent);
  const LaneTriple<X> q = cross(n, t);
  const LocalTriple<X> before{dot(n, d), dot(t, d), dot(q, d)};
  const auto [u, w] =
      velocity_of_change<T, kWidth, kLaw>(c, {dot(n, moved), dot(t, moved), dot(q, moved)}, before);
  const X step_n = step * c[SphereContact::kInverse];
  const X step_t = step * c[SphereContact::kInverse + 1];
  LocalTriple<X> a{before.n - step_n * u.n, before.t - step_t * u.t, before.q - step_t * u.q};
  const X mu = c[SphereContact::kFriction];
  X outside{};
  if constexpr (kLaw == LocalLaw::coulomb) {
    a.n = outside = lanes::larger(a.n, -base[SphereBase::kNormal]);
  } else {
    const X e = c[SphereContact::kPull];
    const X z_t = base[SphereBase::kSize] + a.t;
    const X v = size_beyond<T, kWidth>(size_of<T, kWidth>(z_t, a.q), z_t, a.q);
    outside =
        (before.n + e * (before.t + v - base[SphereBase::kRoom]) - step_n * w) / (T(1) + mu * e);
  }
  const LocalTriple<X> x = in_cone<T, kWidth>(base, mu, a, outside, before);
  return x.n * n + x.t * t + x.q * q;
}

}  // namespace
}  // namespace scree
