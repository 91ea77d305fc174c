#pragma once

/// The sweep over contacts of any two bodies (kernels.hpp), in the contact's frame, by the form of
/// their rows.

#include "local_kernel.hpp"

namespace scree {
namespace {

/// Both bodies of a batch of contacts at points: velocities, and what impulses do to them.
template <class T, int kWidth>
class PointBodies {
 public:
  using Contact = PointContact;
  using X = lanes::Lanes<T, kWidth>;
  using Numbers = BatchNumbers<T, kWidth>;
  using Packs = lanes::BodyPacks<T, kWidth>;

  SCREE_INLINE PointBodies(const SweepArguments<T>& a, const std::int32_t* first,
                           const std::int32_t* second)
      : a_(a), first_(first), second_(second) {
    Packs::load(a.rows, first, p_);
    Packs::load(a.rows, second, q_);
  }
  /// Adds to @p u what the bodies' velocities are at the contacts.
  SCREE_INLINE void add_velocities(const Numbers& c, X* u) const {
    const Triple<X> v =
        at_point(p_, c.triple(Contact::kArms)) - at_point(q_, c.triple(Contact::kArms + 3));
    for (std::size_t k = 0; k < 3; ++k) u[k] += dot(c.triple(Contact::kFrame + 3 * k), v);
  }
  /// Gives the bodies the impulses @p l, and stores them.
  SCREE_INLINE void push(const Numbers& c, const X* l) {
    const Triple<X> impulse = l[0] * c.triple(Contact::kFrame) +
                              l[1] * c.triple(Contact::kFrame + 3) +
                              l[2] * c.triple(Contact::kFrame + 6);
    push_body(p_, first_, c.triple(Contact::kArms), impulse);
    push_body(q_, second_, c.triple(Contact::kArms + 3), Triple<X>{} - impulse);
  }

 private:
  SCREE_INLINE static Triple<X> at_point(const X* v, const Triple<X>& arm) {
    return Triple<X>{v[0], v[1], v[2]} + cross(Triple<X>{v[3], v[4], v[5]}, arm);
  }
  SCREE_INLINE void push_body(X* v, const std::int32_t* id, const Triple<X>& arm,
                              const Triple<X>& impulse) {
    X m[lanes::kRow];
    Packs::load(a_.masses, id, m);
    const Triple<X> turn = cross(arm, impulse);
    v[0] += v[6] * impulse.x;
    v[1] += v[7] * impulse.y;
    v[2] += m[0] * impulse.z;
    v[3] += m[1] * turn.x + m[2] * turn.y + m[3] * turn.z;
    v[4] += m[2] * turn.x + m[4] * turn.y + m[5] * turn.z;
    v[5] += m[3] * turn.x + m[5] * turn.y + m[6] * turn.z;
    Packs::store(a_.rows, id, v);
  }

  const SweepArguments<T>& a_;
  const std::int32_t* first_;
  const std::int32_t* second_;
  X p_[lanes::kRow];
  X q_[lanes::kRow];
};

/// Both bodies of each contact of a batch, where contacts have rows B.
template <class T, int kWidth>
class RowBodies {
 public:
  using Contact = RowContact;
  using X = lanes::Lanes<T, kWidth>;
  using Numbers = BatchNumbers<T, kWidth>;
  using Packs = lanes::BodyPacks<T, kWidth>;

  SCREE_INLINE RowBodies(const SweepArguments<T>& a, const std::int32_t* first,
                         const std::int32_t* second)
      : a_(a), first_(first), second_(second) {
    Packs::load(a.rows, first, p_);
    Packs::load(a.rows, second, q_);
  }
  SCREE_INLINE void add_velocities(const Numbers& c, X* u) const {
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t d = 0; d < 6; ++d) u[k] += c[6 * k + d] * p_[d] + c[18 + 6 * k + d] * q_[d];
    }
  }
  SCREE_INLINE void push(const Numbers& c, const X* l) {
    for (std::size_t d = 0; d < 6; ++d) {
      p_[d] += p_[6] * (c[d] * l[0] + c[6 + d] * l[1] + c[12 + d] * l[2]);
      q_[d] += q_[6] * (c[18 + d] * l[0] + c[24 + d] * l[1] + c[30 + d] * l[2]);
    }
    Packs::store(a_.rows, first_, p_);
    Packs::store(a_.rows, second_, q_);
  }

 private:
  const SweepArguments<T>& a_;
  const std::int32_t* first_;
  const std::int32_t* second_;
  X p_[lanes::kRow];
  X q_[lanes::kRow];
};

template <class T, int kWidth, LocalLaw kLaw, template <class, int> class Bodies>
double sweep_general(const SweepArguments<T>& a) {
  using Contact = typename Bodies<T, kWidth>::Contact;
  using X = lanes::Lanes<T, kWidth>;
  constexpr std::size_t kLanes = kWidth;
  constexpr std::size_t kFlush = 64;
  const X momentum = X{} + a.momentum;
  double moved = 0.0;
  X sum{};
  for (std::size_t batch = 0; batch < a.n_batches; ++batch) {
    const BatchNumbers<T, kWidth> c{a.contacts + batch * Contact::kNumbers * kLanes};
    const BatchNumbers<T, kWidth> local{c.at + Contact::kLocal * kLanes};
    const BatchNumbers<T, kWidth> impulse{a.impulse + batch * 3 * kLanes};
    const BatchNumbers<T, kWidth> result{a.result + batch * 3 * kLanes};
    const std::int32_t* first = a.bodies + batch * 2 * kLanes;
    fetch_next<T, kWidth>(a, batch, Contact::kNumbers);
    Bodies<T, kWidth> bodies(a, first, first + kLanes);

    X u[3];
    X l[3];
    X before[3];
    for (std::size_t k = 0; k < 3; ++k) {
      before[k] = l[k] = impulse[k];
      u[k] = local[LocalContact::kVelocity + k] + local[LocalContact::kCompliance + k] * l[k];
    }
    bodies.add_velocities(c, u);
    const X weight = solve_local<T, kWidth, kLaw>(a, local, u, l);
    X change[3];
    for (std::size_t k = 0; k < 3; ++k) {
      impulse.put(k, l[k] + momentum * (l[k] - result[k]));
      result.put(k, l[k]);
      change[k] = l[k] - before[k];
    }
    sum += weight * (change[0] * change[0] + change[1] * change[1] + change[2] * change[2]);
    bodies.push(c, change);
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
  using enum LocalLaw;
  return {name,
          kWidth,
          {{sweep_spheres<T, kWidth, coulomb>, sweep_spheres<T, kWidth, associated>,
            sweep_spheres<T, kWidth, projected>},
           {sweep_general<T, kWidth, coulomb, PointBodies>,
            sweep_general<T, kWidth, associated, PointBodies>,
            sweep_general<T, kWidth, projected, PointBodies>},
           {sweep_general<T, kWidth, coulomb, RowBodies>,
            sweep_general<T, kWidth, associated, RowBodies>,
            sweep_general<T, kWidth, projected, RowBodies>}}};
}

}  // namespace
}  // namespace scree
