#pragma once

/// The sweep over contacts of spheres (kernels.hpp). D_ii is diagonal in the contact's frame,
/// whichever the tangents, so that the contact is solved in closed form with vectors of the world:
///
///     z = l - D^-1 (u + R l);      l_n = max(0, z_n),  l_t = z_t min(1, mu l_n / |z_t|)        exact friction
///     associated: the projection of z on K in the metric of D, with e = mu d_t/d_n
///                 l_n = (z_n + e |z_t|) / (1 + mu e),  l_t = mu l_n z_t / |z_t|     where z is outside K

#include "kernels.hpp"
#include "lanes.hpp"

namespace scree {
namespace {  // each file that includes this compiles it for its own machine

template <class X>
struct Triple {
  X x, y, z;
};
template <class X>
SCREE_INLINE X dot(const Triple<X>& a, const Triple<X>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class X>
SCREE_INLINE Triple<X> cross(const Triple<X>& a, const Triple<X>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class X>
SCREE_INLINE Triple<X> operator+(const Triple<X>& a, const Triple<X>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class X>
SCREE_INLINE Triple<X> operator-(const Triple<X>& a, const Triple<X>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class X>
SCREE_INLINE Triple<X> operator*(const X& s, const Triple<X>& a) {
  return {s * a.x, s * a.y, s * a.z};
}

/// Smaller than any squared impulse that matters, and not zero in single precision.
template <class T>
inline constexpr T kTiny = static_cast<T>(1e-30);

/// The numbers of one batch, `kWidth` contacts side by side.
template <class T, int kWidth>
struct BatchNumbers {
  using X = lanes::Lanes<T, kWidth>;
  T* at;
  SCREE_INLINE X operator[](std::size_t k) const { return lanes::load<X>(at + k * kWidth); }
  SCREE_INLINE Triple<X> triple(std::size_t k) const {
    return {(*this)[k], (*this)[k + 1], (*this)[k + 2]};
  }
  SCREE_INLINE void put(std::size_t k, const X& x) const { lanes::store(x, at + k * kWidth); }
  SCREE_INLINE void put(std::size_t k, const Triple<X>& x) const {
    put(k, x.x);
    put(k + 1, x.y);
    put(k + 2, x.z);
  }
};

/// Asks for what the batch after @p batch needs, with @p n_numbers a contact. The processor does
/// not look so far ahead by itself: steps at a contact wait for each other.
template <class T, int kWidth>
SCREE_INLINE void fetch_next(const SweepArguments<T>& a, std::size_t batch, std::size_t n_numbers) {
  constexpr std::size_t kLanes = kWidth;
  const std::size_t next = batch + 1 < a.n_batches ? batch + 1 : batch;
  lanes::fetch(a.contacts + next * n_numbers * kLanes, n_numbers * kLanes);
  lanes::fetch(a.impulse + next * 3 * kLanes, 3 * kLanes);
  lanes::fetch(a.result + next * 3 * kLanes, 3 * kLanes);
  const std::int32_t* body = a.bodies + next * 2 * kLanes;
  for (std::size_t i = 0; i < 2 * kLanes; ++i) {
    lanes::fetch(a.rows + lanes::row_of(body[i]), lanes::kRow);
    if (a.masses != nullptr) lanes::fetch(a.masses + lanes::row_of(body[i]), lanes::kRow);
  }
}

/// The projection on K in the metric of a diagonal D: the factor of the tangent, and the normal in
/// @p normal.
template <class T, int kWidth>
SCREE_INLINE lanes::Lanes<T, kWidth> project_scaled(lanes::Lanes<T, kWidth>& normal,
                                                    const lanes::Lanes<T, kWidth>& tangent,
                                                    const lanes::Lanes<T, kWidth>& mu,
                                                    const lanes::Lanes<T, kWidth>& pull) {
  using X = lanes::Lanes<T, kWidth>;
  const X zero{};
  const X one = zero + T(1);
  const X outside = lanes::larger(zero, normal + pull * tangent) / (one + mu * pull);
  const X size = tangent + kTiny<T>;
  const X factor = tangent > mu * normal ? mu * outside / size : one;
  normal = tangent > mu * normal ? outside : lanes::larger(zero, normal);
  return factor;
}

/// The result of a batch of contacts, before inertia.
template <class T, int kWidth, LocalLaw kLaw>
SCREE_INLINE Triple<lanes::Lanes<T, kWidth>> sphere_impulse(
    const BatchNumbers<T, kWidth>& c, const Triple<lanes::Lanes<T, kWidth>>& n,
    const Triple<lanes::Lanes<T, kWidth>>& u, const Triple<lanes::Lanes<T, kWidth>>& l, T step,
    T relaxation) {
  using Contact = SphereContact;
  using X = lanes::Lanes<T, kWidth>;
  const X zero{};
  const X one = zero + T(1);
  const X mu = c[Contact::kFriction];
  const X step_n = step * c[Contact::kInverse];
  const X step_t = step * c[Contact::kInverse + 1];
  const X keep_n = one - step_n * c[Contact::kCompliance];
  const X keep_t = one - step_t * c[Contact::kCompliance + 1];
  const X u_n = dot(n, u);
  const X l_n = dot(n, l);
  X normal = keep_n * l_n - step_n * u_n;
  Triple<X> tangent = keep_t * l - step_t * u + (step_t * u_n - keep_t * l_n) * n;
  if constexpr (kLaw == LocalLaw::coulomb) {
    normal = lanes::larger(zero, normal);
    const X limit = mu * normal;
    const X ratio = limit * limit / (dot(tangent, tangent) + kTiny<T>);
    tangent = lanes::root<T, kWidth>(lanes::smaller(one, ratio)) * tangent;
  } else {
    if constexpr (kLaw == LocalLaw::projected) {
      const X r_t = c[Contact::kCompliance + 1];
      const Triple<X> slip = u + r_t * l - (u_n + r_t * l_n) * n;
      normal -= step_n * mu * lanes::root<T, kWidth>(dot(slip, slip));
    }
    const X size = lanes::root<T, kWidth>(dot(tangent, tangent));
    tangent = project_scaled<T, kWidth>(normal, size, mu, c[Contact::kPull]) * tangent;
  }
  if (relaxation != T(1)) {
    const Triple<X> before = l - l_n * n;
    const X factor = zero + relaxation;
    normal = l_n + factor * (normal - l_n);
    tangent = before + factor * (tangent - before);
    const X size = lanes::root<T, kWidth>(dot(tangent, tangent));
    tangent = project_scaled<T, kWidth>(normal, size, mu, mu) * tangent;
  }
  return tangent + normal * n;
}

template <class T, int kWidth, LocalLaw kLaw>
double sweep_spheres(const SweepArguments<T>& a) {
  using Contact = SphereContact;
  using X = lanes::Lanes<T, kWidth>;
  using Bodies = lanes::BodyPacks<T, kWidth>;
  constexpr std::size_t kLanes = kWidth;
  constexpr std::size_t kFlush = 64;  // batches whose sum single precision can hold
  const X momentum = X{} + a.momentum;
  double moved = 0.0;
  X sum{};
  for (std::size_t batch = 0; batch < a.n_batches; ++batch) {
    const BatchNumbers<T, kWidth> c{a.contacts + batch * Contact::kNumbers * kLanes};
    const BatchNumbers<T, kWidth> impulse{a.impulse + batch * 3 * kLanes};
    const BatchNumbers<T, kWidth> result{a.result + batch * 3 * kLanes};
    const std::int32_t* first = a.bodies + batch * 2 * kLanes;
    const std::int32_t* second = first + kLanes;
    fetch_next<T, kWidth>(a, batch, Contact::kNumbers);
    X p[lanes::kRow];
    X q[lanes::kRow];
    Bodies::load(a.rows, first, p);
    Bodies::load(a.rows, second, q);

    const Triple<X> n = c.triple(Contact::kNormal);
    const X arm_p = c[Contact::kArm];
    const X arm_q = c[Contact::kArm + 1];
    const Triple<X> spin{arm_p * p[3] + arm_q * q[3], arm_p * p[4] + arm_q * q[4],
                         arm_p * p[5] + arm_q * q[5]};
    const Triple<X> v{p[0] - q[0], p[1] - q[1], p[2] - q[2]};
    const Triple<X> u = v + cross(n, spin) + c.triple(Contact::kVelocity);
    const Triple<X> l = impulse.triple(0);
    const Triple<X> x = sphere_impulse<T, kWidth, kLaw>(c, n, u, l, a.step, a.relaxation);
    impulse.put(0, x + momentum * (x - result.triple(0)));
    result.put(0, x);

    const Triple<X> change = x - l;
    sum += c[Contact::kWeight] * dot(change, change);
    p[0] += p[6] * change.x;
    p[1] += p[6] * change.y;
    p[2] += p[6] * change.z;
    q[0] -= q[6] * change.x;
    q[1] -= q[6] * change.y;
    q[2] -= q[6] * change.z;
    const Triple<X> turn = cross(n, change);
    const X turn_p = arm_p * p[7];
    const X turn_q = arm_q * q[7];
    p[3] -= turn_p * turn.x;
    p[4] -= turn_p * turn.y;
    p[5] -= turn_p * turn.z;
    q[3] -= turn_q * turn.x;
    q[4] -= turn_q * turn.y;
    q[5] -= turn_q * turn.z;
    Bodies::store(a.rows, first, p);
    Bodies::store(a.rows, second, q);
    if (batch % kFlush == kFlush - 1) {
      moved += lanes::sum<T, kWidth>(sum);
      sum = X{};
    }
  }
  return moved + lanes::sum<T, kWidth>(sum);
}

}  // namespace
}  // namespace scree
