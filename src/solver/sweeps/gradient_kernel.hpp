#pragma once

/// A gradient step of all contacts of spheres at once (base/gradient_pace.hpp), by the associated
/// law: the steps of sphere_kernel.hpp, but for bodies as they were before all of them. D is d_n,
/// d_t, d_t of each contact (SphereContact).
///
/// `impulse` is x of the step before the last here, and `result` that of the last one, from which a
/// step starts with momentum. `from` are the bodies' rows for y, and `rows`, before the step their
/// copy, become those for x.

#include "scree/base/gradient_pace.hpp"
#include "sphere_kernel.hpp"

namespace scree {
namespace {

/// a^T D b of contacts, D by its inverse numbers, which are 0 where nothing moves.
template <class T, int kWidth>
class SphereMetric {
 public:
  using X = lanes::Lanes<T, kWidth>;
  using Contact = SphereContact;

  SCREE_INLINE SphereMetric(const BatchNumbers<T, kWidth>& c, const LaneTriple<X>& n)
      : n_(n), d_n_(one_over(c[Contact::kInverse])), d_t_(one_over(c[Contact::kInverse + 1])) {}
  SCREE_INLINE X product(const LaneTriple<X>& a, const LaneTriple<X>& b) const {
    return by(d_n_, d_t_, a, b);
  }
  /// a^T R a.
  SCREE_INLINE X yielding(const BatchNumbers<T, kWidth>& c, const LaneTriple<X>& a) const {
    return by(c[Contact::kCompliance], c[Contact::kCompliance + 1], a, a);
  }

 private:
  SCREE_INLINE static X one_over(const X& inverse) {
    const X zero{};
    return inverse > zero ? T(1) / (inverse + kTiny<T>) : zero;
  }
  SCREE_INLINE X by(const X& normal, const X& tangent, const LaneTriple<X>& a,
                    const LaneTriple<X>& b) const {
    const X along = dot(n_, a) * dot(n_, b);
    return normal * along + tangent * (dot(a, b) - along);
  }

  const LaneTriple<X>& n_;
  X d_n_, d_t_;
};

template <class T, int kWidth, Stored kStored>
SCREE_INLINE GradientSums gradient_step_stored(const SweepArguments<T>& a) {
  using X = lanes::Lanes<T, kWidth>;
  using Bodies = SphereBodies<T, kWidth, cones::Circular>;
  constexpr LocalLaw kLaw = LocalLaw::associated;
  constexpr std::size_t kLanes = kWidth;
  constexpr std::size_t kDim = 3;
  constexpr std::size_t kNumbers = SphereContact::numbers(kLaw);
  constexpr std::size_t kFlush = 64;  // batches whose sum single precision can hold
  const X momentum = X{} + a.momentum;
  GradientSums sums;
  X moved{};
  X along{};
  X curvature{};
  for (std::size_t batch = 0; batch < a.n_batches; ++batch) {
    const BatchNumbers<T, kWidth> c{a.contacts + batch * kNumbers * kLanes};
    const BatchNumbers<T, kWidth> impulse{a.impulse + batch * kDim * kLanes};
    const BatchNumbers<T, kWidth> result{a.result + batch * kDim * kLanes};
    fetch_next<T, kWidth>(a, batch, kNumbers, kDim,
                          kStored == Stored::changes ? SphereBase::kNumbers : 0);
    Bodies bodies(a.from, a.rows, c, a.bodies + batch * 2 * kLanes);
    const LaneTriple<X> n = c.triple(SphereContact::kNormal);
    const LaneTriple<X> last = result.triple(0);
    const LaneTriple<X> y = last + momentum * (last - impulse.triple(0));
    LaneTriple<X> x;
    if constexpr (kStored == Stored::changes) {
      const BatchNumbers<T, kWidth> base{a.base + batch * SphereBase::kNumbers * kLanes};
      x = sphere_change<T, kWidth, kLaw>(c, base, n, bodies.moved(n), y, a.step);
    } else {
      LaneTriple<X> u;
      bodies.velocities(c, n, &u);
      x = sphere_impulse<T, kWidth, kLaw>(c, n, u, y, a.step, T(1));
    }
    impulse.put(0, last);
    result.put(0, x);
    const LaneTriple<X> d = x - y;
    const SphereMetric<T, kWidth> metric(c, n);
    moved += metric.product(d, d);
    along += metric.product(d, x - last);
    curvature += metric.yielding(c, d);
    bodies.load_rows();
    bodies.push(c, n, &d);
    if (batch % kFlush == kFlush - 1 || batch + 1 == a.n_batches) {
      sums += {lanes::sum<T, kWidth>(moved), lanes::sum<T, kWidth>(along),
               lanes::sum<T, kWidth>(curvature)};
      moved = along = curvature = X{};
    }
  }
  return sums;
}

template <class T, int kWidth>
GradientSums gradient_step(const SweepArguments<T>& a) {
  return a.base != nullptr ? gradient_step_stored<T, kWidth, Stored::changes>(a)
                           : gradient_step_stored<T, kWidth, Stored::whole>(a);
}

}  // namespace
}  // namespace scree
