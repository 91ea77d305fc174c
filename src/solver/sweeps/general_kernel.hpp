#pragma once

/// The sweep over contacts of any two bodies (kernels.hpp), in the contact's frame, by the form of
/// their rows.

#include <array>
#include <tuple>
#include <type_traits>

#include "disc_kernel.hpp"
#include "gradient_kernel.hpp"
#include "local_kernel.hpp"

namespace scree {
namespace {

/// Both bodies of a batch of contacts at points: velocities, and what impulses do to them.
template <class T, int kWidth, class KernelCone>
class PointBodies {
 public:
  using Cone = KernelCone;
  using Contact = typename ContactOf<Cone>::Point;
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
    const LaneTriple<X> v =
        at_point(p_, c.triple(Contact::kArms)) - at_point(q_, c.triple(Contact::kArms + 3));
    for (int k = 0; k < 3; ++k) u[k] += dot(axis(c, k), v);
    if constexpr (kHasMoments<Cone>) {
      const X length = c[Contact::kLength];
      const LaneTriple<X> turning{length * (p_[3] - q_[3]), length * (p_[4] - q_[4]),
                                  length * (p_[5] - q_[5])};
      for (int k = 3; k < Cone::kDim; ++k) u[k] += dot(axis(c, k), turning);
    }
  }
  /// Gives the bodies the impulses @p l, and stores them.
  SCREE_INLINE void push(const Numbers& c, const X* l) {
    const LaneTriple<X> impulse = l[0] * axis(c, 0) + l[1] * axis(c, 1) + l[2] * axis(c, 2);
    LaneTriple<X> turn_p = cross(c.triple(Contact::kArms), impulse);
    LaneTriple<X> turn_q = cross(c.triple(Contact::kArms + 3), impulse);
    if constexpr (kHasMoments<Cone>) {
      const LaneTriple<X> moment =
          c[Contact::kLength] * (l[3] * axis(c, 3) + l[4] * axis(c, 4) + l[5] * axis(c, 5));
      turn_p = turn_p + moment;
      turn_q = turn_q + moment;
    }
    push_body(p_, first_, impulse, turn_p);
    push_body(q_, second_, LaneTriple<X>{} - impulse, LaneTriple<X>{} - turn_q);
  }

 private:
  /// The axis of row k (axis_of() of problem/frames.hpp).
  SCREE_INLINE static LaneTriple<X> axis(const Numbers& c, int k) {
    const std::size_t of_frame = k < 3 ? k : (k - 2) % 3;
    return c.triple(Contact::kFrame + 3 * of_frame);
  }
  SCREE_INLINE static LaneTriple<X> at_point(const X* v, const LaneTriple<X>& arm) {
    return LaneTriple<X>{v[0], v[1], v[2]} + cross(LaneTriple<X>{v[3], v[4], v[5]}, arm);
  }
  SCREE_INLINE void push_body(X* v, const std::int32_t* id, const LaneTriple<X>& impulse,
                              const LaneTriple<X>& turn) {
    X m[lanes::kRow];
    Packs::load(a_.masses, id, m);
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
  using Cone = cones::Circular;
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

/// The result of a batch of contacts for the velocities @p u, before inertia, and trace(D_ii) /
/// dim.
template <class T, int kWidth, LocalLaw kLaw, class Cone>
SCREE_INLINE lanes::Lanes<T, kWidth> solve_contact(const SweepArguments<T>& a,
                                                   const BatchNumbers<T, kWidth>& c,
                                                   lanes::Lanes<T, kWidth>* u,
                                                   lanes::Lanes<T, kWidth>* l) {
  if constexpr (std::is_same_v<Cone, cones::Circular>) {
    return solve_local<T, kWidth, kLaw>(a, c, u, l);
  } else {
    return solve_discs<T, kWidth, kLaw, Cone>(a, c, u, l);
  }
}

template <class T, int kWidth, LocalLaw kLaw, class Bodies>
double sweep_general(const SweepArguments<T>& a) {
  using Cone = typename Bodies::Cone;
  using Contact = typename Bodies::Contact;
  using Local = typename ContactOf<Cone>::Local;
  using X = lanes::Lanes<T, kWidth>;
  constexpr std::size_t kLanes = kWidth;
  constexpr std::size_t kDim = Cone::kDim;
  constexpr std::size_t kFlush = 64;
  const X momentum = X{} + a.momentum;
  double moved = 0.0;
  X sum{};
  for (std::size_t batch = 0; batch < a.n_batches; ++batch) {
    const BatchNumbers<T, kWidth> c{a.contacts + batch * Contact::kNumbers * kLanes};
    const BatchNumbers<T, kWidth> local{c.at + Contact::kLocal * kLanes};
    const BatchNumbers<T, kWidth> impulse{a.impulse + batch * kDim * kLanes};
    const BatchNumbers<T, kWidth> result{a.result + batch * kDim * kLanes};
    const std::int32_t* first = a.bodies + batch * 2 * kLanes;
    fetch_next<T, kWidth>(a, batch, Contact::kNumbers, kDim);
    Bodies bodies(a, first, first + kLanes);

    X u[kDim];
    X l[kDim];
    X before[kDim];
    for (std::size_t k = 0; k < kDim; ++k) {
      before[k] = l[k] = impulse[k];
      u[k] = local[Local::kVelocity + k] + local[Local::kCompliance + k] * l[k];
    }
    bodies.add_velocities(c, u);
    const X weight = solve_contact<T, kWidth, kLaw, Cone>(a, local, u, l);
    X change[kDim];
    X square{};
    for (std::size_t k = 0; k < kDim; ++k) {
      impulse.put(k, l[k] + momentum * (l[k] - result[k]));
      result.put(k, l[k]);
      change[k] = l[k] - before[k];
      square += change[k] * change[k];
    }
    sum += weight * square;
    bodies.push(c, change);
    if (batch % kFlush == kFlush - 1) {
      moved += lanes::sum<T, kWidth>(sum);
      sum = X{};
    }
  }
  return moved + lanes::sum<T, kWidth>(sum);
}

/// The kernels of one cone by PairForm and LocalLaw. Contacts of files that have several discs have
/// no kernels by rows; a law that depends on the frame has none of spheres, and none that is
/// associated.
template <class T, int kWidth, class Cone>
struct KernelsOfCone {
  using enum LocalLaw;
  using Function = SweepFunction<T>;
  template <LocalLaw kLaw>
  static constexpr Function of_spheres() {
    if constexpr (kIsRound<Cone>) return sweep_spheres<T, kWidth, kLaw, Cone>;
    return nullptr;
  }
  template <LocalLaw kLaw>
  static constexpr Function at_points() {
    if constexpr (kIsRound<Cone> || kLaw != associated)
      return sweep_general<T, kWidth, kLaw, PointBodies<T, kWidth, Cone>>;
    return nullptr;
  }
  template <LocalLaw kLaw>
  static constexpr Function by_rows() {
    if constexpr (std::is_same_v<Cone, cones::Circular>)
      return sweep_general<T, kWidth, kLaw, RowBodies<T, kWidth>>;
    return nullptr;
  }
  static constexpr std::array<std::array<Function, 3>, 3> all() {
    return {{{of_spheres<coulomb>(), of_spheres<associated>(), of_spheres<projected>()},
             {at_points<coulomb>(), at_points<associated>(), at_points<projected>()},
             {by_rows<coulomb>(), by_rows<associated>(), by_rows<projected>()}}};
  }
};

/// Every kernel of this machine.
template <class T, int kWidth>
SweepKernels<T> kernels_of(const char* name) {
  return [name]<class... Cones>(const std::tuple<Cones...>* /*list*/) {
    return SweepKernels<T>{
        name, kWidth, {KernelsOfCone<T, kWidth, Cones>::all()...}, gradient_step<T, kWidth>};
  }(static_cast<const KernelCones*>(nullptr));
}

}  // namespace
}  // namespace scree
