#pragma once

/// The sweep over contacts of spheres (kernels.hpp). D_ii is diagonal in the contact's frame,
/// whichever the tangents, so that the contact is solved in closed form with vectors of the world:
///
///     z = l - D^-1 (u + R l);      l_n = max(0, z_n),  l_t = z_t min(1, mu l_n / |z_t|)        exact friction
///     associated: the projection of z on K in the metric of D, with e = mu d_t/d_n
///                 l_n = (z_n + e |z_t|) / (1 + mu e),  l_t = mu l_n z_t / |z_t|     where z is outside K
///
/// Changes over a base have kernels of their own (sphere_change.hpp). Contacts with moments have
/// impulses of six rows, and are solved by rolling_kernel.hpp.

#include "batch_numbers.hpp"
#include "rolling_kernel.hpp"
#include "sphere_change.hpp"

namespace scree {
namespace {

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
SCREE_INLINE LaneTriple<lanes::Lanes<T, kWidth>> sphere_impulse(
    const BatchNumbers<T, kWidth>& c, const LaneTriple<lanes::Lanes<T, kWidth>>& n,
    const LaneTriple<lanes::Lanes<T, kWidth>>& u, const LaneTriple<lanes::Lanes<T, kWidth>>& l,
    T step, T relaxation) {
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
  LaneTriple<X> tangent = keep_t * l - step_t * u + (step_t * u_n - keep_t * l_n) * n;
  if constexpr (kLaw == LocalLaw::coulomb) {
    normal = lanes::larger(zero, normal);
    const X limit = mu * normal;
    const X ratio = limit * limit / (dot(tangent, tangent) + kTiny<T>);
    tangent = lanes::root<T, kWidth>(lanes::smaller(one, ratio)) * tangent;
  } else {
    if constexpr (kLaw == LocalLaw::projected) {
      const X r_t = c[Contact::kCompliance + 1];
      const LaneTriple<X> slip = u + r_t * l - (u_n + r_t * l_n) * n;
      normal -= step_n * mu * lanes::root<T, kWidth>(dot(slip, slip));
    }
    const X size = lanes::root<T, kWidth>(dot(tangent, tangent));
    tangent = project_scaled<T, kWidth>(normal, size, mu, c[Contact::kPull]) * tangent;
  }
  if (relaxation != T(1)) {
    const LaneTriple<X> before = l - l_n * n;
    const X factor = zero + relaxation;
    normal = l_n + factor * (normal - l_n);
    tangent = before + factor * (tangent - before);
    const X size = lanes::root<T, kWidth>(dot(tangent, tangent));
    tangent = project_scaled<T, kWidth>(normal, size, mu, mu) * tangent;
  }
  return tangent + normal * n;
}

/// Both spheres of each contact of a batch.
template <class T, int kWidth, class Cone>
class SphereBodies {
 public:
  using Contact = typename ContactOf<Cone>::Sphere;
  using X = lanes::Lanes<T, kWidth>;
  using Packs = lanes::BodyPacks<T, kWidth>;

  /// @param from the bodies' rows that give their velocities
  /// @param rows the bodies' rows that take the impulses
  SCREE_INLINE SphereBodies(const T* from, T* rows, const BatchNumbers<T, kWidth>& c,
                            const std::int32_t* first)
      : rows_(rows),
        first_(first),
        second_(first + kWidth),
        arm_p_(c[Contact::kArm]),
        arm_q_(c[Contact::kArm + 1]) {
    Packs::load(from, first_, p_);
    Packs::load(from, second_, q_);
  }
  /// Loads the rows that take the impulses, where they are not those that gave the velocities.
  SCREE_INLINE void load_rows() {
    Packs::load(rows_, first_, p_);
    Packs::load(rows_, second_, q_);
  }
  /// Velocities of the first against the second at the contact, then of their turning times the
  /// length, where there are moments.
  SCREE_INLINE void velocities(const BatchNumbers<T, kWidth>& c, const LaneTriple<X>& n,
                               LaneTriple<X>* u) const {
    u[0] = moved(n) + c.triple(Contact::kVelocity);
    if constexpr (kHasMoments<Cone>) {
      const LaneTriple<X> turning{p_[3] - q_[3], p_[4] - q_[4], p_[5] - q_[5]};
      u[1] = c[Contact::kLength] * turning + c.triple(Contact::kSpin);
    }
  }
  /// Velocity of the first against the second at the contact that their rows give, without r.
  SCREE_INLINE LaneTriple<X> moved(const LaneTriple<X>& n) const {
    const LaneTriple<X> spin{arm_p_ * p_[3] + arm_q_ * q_[3], arm_p_ * p_[4] + arm_q_ * q_[4],
                             arm_p_ * p_[5] + arm_q_ * q_[5]};
    const LaneTriple<X> v{p_[0] - q_[0], p_[1] - q_[1], p_[2] - q_[2]};
    return v + cross(n, spin);
  }
  /// Gives the spheres the impulses @p l, and stores them.
  SCREE_INLINE void push(const BatchNumbers<T, kWidth>& c, const LaneTriple<X>& n,
                         const LaneTriple<X>* l) {
    p_[0] += p_[6] * l[0].x;
    p_[1] += p_[6] * l[0].y;
    p_[2] += p_[6] * l[0].z;
    q_[0] -= q_[6] * l[0].x;
    q_[1] -= q_[6] * l[0].y;
    q_[2] -= q_[6] * l[0].z;
    const LaneTriple<X> turn = cross(n, l[0]);
    turn_by(p_, -(arm_p_ * p_[7]), turn);
    turn_by(q_, -(arm_q_ * q_[7]), turn);
    if constexpr (kHasMoments<Cone>) {
      turn_by(p_, c[Contact::kLength] * p_[7], l[1]);
      turn_by(q_, -(c[Contact::kLength] * q_[7]), l[1]);
    }
    Packs::store(rows_, first_, p_);
    Packs::store(rows_, second_, q_);
  }

 private:
  SCREE_INLINE static void turn_by(X* v, const X& factor, const LaneTriple<X>& turn) {
    v[3] += factor * turn.x;
    v[4] += factor * turn.y;
    v[5] += factor * turn.z;
  }

  T* rows_;
  const std::int32_t* first_;
  const std::int32_t* second_;
  X arm_p_, arm_q_;
  X p_[lanes::kRow];
  X q_[lanes::kRow];
};

/// Whether impulses and results of contacts are whole, or changes over a base.
enum class Stored { whole, changes };

template <class T, int kWidth, LocalLaw kLaw, class Cone, Stored kStored>
SCREE_INLINE double sweep_stored(const SweepArguments<T>& a) {
  using Contact = typename ContactOf<Cone>::Sphere;
  using X = lanes::Lanes<T, kWidth>;
  constexpr std::size_t kLanes = kWidth;
  constexpr std::size_t kDim = Cone::kDim;
  constexpr std::size_t kNumbers = Contact::numbers(kLaw);
  constexpr std::size_t kTriples = kDim / 3;
  constexpr std::size_t kFlush = 64;  // batches whose sum single precision can hold
  const X momentum = X{} + a.momentum;
  double moved = 0.0;
  X sum{};
  for (std::size_t batch = 0; batch < a.n_batches; ++batch) {
    const BatchNumbers<T, kWidth> c{a.contacts + batch * kNumbers * kLanes};
    const BatchNumbers<T, kWidth> impulse{a.impulse + batch * kDim * kLanes};
    const BatchNumbers<T, kWidth> result{a.result + batch * kDim * kLanes};
    fetch_next<T, kWidth>(a, batch, kNumbers, kDim,
                          kStored == Stored::changes ? SphereBase::kNumbers : 0);
    SphereBodies<T, kWidth, Cone> bodies(a.rows, a.rows, c, a.bodies + batch * 2 * kLanes);
    const LaneTriple<X> n = c.triple(Contact::kNormal);
    [[maybe_unused]] LaneTriple<X> u[kTriples];
    LaneTriple<X> l[kTriples];
    LaneTriple<X> x[kTriples];
    if constexpr (kStored == Stored::whole) bodies.velocities(c, n, u);
    for (std::size_t k = 0; k < kTriples; ++k) l[k] = impulse.triple(3 * k);
    if constexpr (kHasMoments<Cone>) {
      rolling_impulse<T, kWidth, kLaw>(a, c, n, u, l, x);
    } else if constexpr (kStored == Stored::changes) {
      const BatchNumbers<T, kWidth> base{a.base + batch * SphereBase::kNumbers * kLanes};
      x[0] = sphere_change<T, kWidth, kLaw>(c, base, n, bodies.moved(n), l[0], a.step);
    } else {
      x[0] = sphere_impulse<T, kWidth, kLaw>(c, n, u[0], l[0], a.step, a.relaxation);
    }
    for (std::size_t k = 0; k < kTriples; ++k) {
      impulse.put(3 * k, x[k] + momentum * (x[k] - result.triple(3 * k)));
      result.put(3 * k, x[k]);
      l[k] = x[k] - l[k];
      sum += c[Contact::kWeight] * dot(l[k], l[k]);
    }
    bodies.push(c, n, l);
    if (batch % kFlush == kFlush - 1) {
      moved += lanes::sum<T, kWidth>(sum);
      sum = X{};
    }
  }
  return moved + lanes::sum<T, kWidth>(sum);
}

template <class T, int kWidth, LocalLaw kLaw, class Cone>
double sweep_spheres(const SweepArguments<T>& a) {
  if constexpr (!kHasMoments<Cone>) {
    if (a.base != nullptr) return sweep_stored<T, kWidth, kLaw, Cone, Stored::changes>(a);
  }
  return sweep_stored<T, kWidth, kLaw, Cone, Stored::whole>(a);
}

}  // namespace
}  // namespace scree
