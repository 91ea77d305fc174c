#pragma once

/// One contact of any two bodies whose cone is not that of a single disc, for the sweeps of
/// general_kernel.hpp.
///
/// Exact friction: its parts in turn, the normal and then each disc, with the velocities that the
/// parts before it have changed,
///
///     l_n <- max(0, l_n - u_n / d_n),     l_j <- P_j( l_j - u_j / d_j )      P_j on the disc of mu_j l_n
///
/// Impulses that all parts leave as they are solve the contact: u_n >= 0 or l_n = 0, and friction
/// dissipates most. More than one round of it a sweep was measured to save no sweeps. Friction of
/// each tangent by itself has this rule where steps are to be projected, too, as in pgs.hpp. On
/// others those are
///
///     l <- the nearest point of K to l - S^-2 u~ in the metric of S^2

#include <type_traits>

#include "batch_numbers.hpp"
#include "disc_contact.hpp"

namespace scree {
namespace {

/// The discs of a cone, for loops that compilers unroll.
template <class Cone>
struct DiscShape;
template <int... kSizes>
struct DiscShape<cones::Discs<kSizes...>> {
  static constexpr bool kFaceted = false;
  static constexpr int kDiscs = sizeof...(kSizes);
  static constexpr int kSize[]{kSizes...};
  static constexpr int kParts = kDiscs;  ///< numbers that project_discs() compares with limits
};
template <int... kSizes>
struct DiscShape<cones::Faceted<cones::Discs<kSizes...>>> : DiscShape<cones::Discs<kSizes...>> {
  static constexpr bool kFaceted = true;
  static constexpr int kParts = (0 + ... + kSizes);
};

/// A point in the frame of the side of a regular polygon that is next to it.
template <class X>
struct SidePoint {
  X c, s;  ///< direction of the side's middle
  X across, along;
};
template <class T, int kWidth>
SCREE_INLINE SidePoint<lanes::Lanes<T, kWidth>> at_side(const SweepArguments<T>& a,
                                                        const lanes::Lanes<T, kWidth>* x) {
  using X = lanes::Lanes<T, kWidth>;
  const X zero{};
  const X one = zero + T(1);
  SidePoint<X> at{zero, zero, zero - one, zero};
  for (std::int32_t k = 0; k < a.n_sides; ++k) {
    const X c = zero + a.sides[2 * k];
    const X s = zero + a.sides[2 * k + 1];
    const X across = c * x[0] + s * x[1];
    const X sign = across < zero ? -one : one;
    const auto nearer = sign * across > at.across;
    at.c = nearer ? sign * c : at.c;
    at.s = nearer ? sign * s : at.s;
    at.across = nearer ? sign * across : at.across;
  }
  at.along = at.c * x[1] - at.s * x[0];
  return at;
}

/// The nearest point to @p x, @p size rows, of a disc that reaches to @p limit.
template <class T, int kWidth>
SCREE_INLINE void shrink_round(const lanes::Lanes<T, kWidth>& limit, int size,
                               lanes::Lanes<T, kWidth>* x) {
  using X = lanes::Lanes<T, kWidth>;
  X square{};
  for (int k = 0; k < size; ++k) square += x[k] * x[k];
  const X length = lanes::root<T, kWidth>(square);
  const X factor = length > limit ? limit / length : X{} + T(1);
  for (int k = 0; k < size; ++k) x[k] *= factor;
}
template <class T, int kWidth>
SCREE_INLINE void shrink_faceted(const SweepArguments<T>& a, const lanes::Lanes<T, kWidth>& limit,
                                 lanes::Lanes<T, kWidth>* x) {
  using X = lanes::Lanes<T, kWidth>;
  const SidePoint<X> at = at_side<T, kWidth>(a, x);
  const X end = a.along * limit;
  const X across = lanes::smaller(at.across, a.across * limit);
  const X along = lanes::larger(-end, lanes::smaller(at.along, end));
  x[0] = at.c * across - at.s * along;
  x[1] = at.s * across + at.c * along;
}
template <class T, int kWidth, bool kFaceted>
SCREE_INLINE void shrink(const SweepArguments<T>& a, const lanes::Lanes<T, kWidth>& limit, int size,
                         lanes::Lanes<T, kWidth>* x) {
  if (kFaceted && size == 2) {
    shrink_faceted<T, kWidth>(a, limit, x);
  } else {
    shrink_round<T, kWidth>(limit, size, x);
  }
}

/// The normal of the nearest point of K, of parts with a limit each (cones/discs.hpp), in the
/// metric whose pulls are e_j.
template <class T, int kWidth, int kParts>
SCREE_INLINE lanes::Lanes<T, kWidth> nearest_normal(const lanes::Lanes<T, kWidth>& normal,
                                                    const lanes::Lanes<T, kWidth>* size,
                                                    const lanes::Lanes<T, kWidth>* mu,
                                                    const lanes::Lanes<T, kWidth>* pull) {
  using X = lanes::Lanes<T, kWidth>;
  X image = lanes::larger(X{}, normal);
  for (unsigned set = 1; set < 1U << kParts; ++set) {
    X sum = normal;
    X weight = X{} + T(1);
    for (int p = 0; p < kParts; ++p) {
      if ((set >> p & 1U) == 0) continue;
      sum += pull[p] * size[p];
      weight += mu[p] * pull[p];
    }
    image = lanes::larger(image, sum / weight);
  }
  return image;
}

/// The parts of the rows @p x behind the normal, and the factors that their limits have.
template <class T, int kWidth, class Cone>
SCREE_INLINE void parts_of(const SweepArguments<T>& a, const lanes::Lanes<T, kWidth>* x,
                           const lanes::Lanes<T, kWidth>* of_disc, lanes::Lanes<T, kWidth>* size,
                           lanes::Lanes<T, kWidth>* of_part) {
  using X = lanes::Lanes<T, kWidth>;
  using Shape = DiscShape<Cone>;
  for (int j = 0; j < Shape::kDiscs; ++j) {
    if (Shape::kFaceted && Shape::kSize[j] == 2) {
      const SidePoint<X> at = at_side<T, kWidth>(a, x);
      *size++ = at.across;
      *size++ = lanes::larger(at.along, -at.along);
      *of_part++ = a.across * of_disc[j];
      *of_part++ = a.along * of_disc[j];
    } else {
      X square{};
      for (int k = 0; k < Shape::kSize[j]; ++k) square += x[k] * x[k];
      *size++ = lanes::root<T, kWidth>(square);
      *of_part++ = of_disc[j];
    }
    x += Shape::kSize[j];
  }
}

/// @p l becomes the nearest point of K in the metric whose pulls are @p pull.
template <class T, int kWidth, class Cone>
SCREE_INLINE void project_discs(const SweepArguments<T>& a, const lanes::Lanes<T, kWidth>* mu,
                                const lanes::Lanes<T, kWidth>* pull, lanes::Lanes<T, kWidth>* l) {
  using X = lanes::Lanes<T, kWidth>;
  using Shape = DiscShape<Cone>;
  X size[Shape::kParts];
  X mu_part[Shape::kParts];
  X pull_part[Shape::kParts];
  parts_of<T, kWidth, Cone>(a, l + 1, mu, size, mu_part);
  parts_of<T, kWidth, Cone>(a, l + 1, pull, size, pull_part);
  l[0] = nearest_normal<T, kWidth, Shape::kParts>(l[0], size, mu_part, pull_part);
  X* x = l + 1;
  for (int j = 0; j < Shape::kDiscs; ++j) {
    shrink<T, kWidth, Shape::kFaceted>(a, mu[j] * l[0], Shape::kSize[j], x);
    x += Shape::kSize[j];
  }
}

/// D_ii of a batch, of which the rows up to the diagonal are stored.
template <class T, int kWidth, class Cone>
struct DiscBlock {
  using X = lanes::Lanes<T, kWidth>;
  const BatchNumbers<T, kWidth>& c;
  /// u += D_ii's column @p k times @p change.
  SCREE_INLINE void add_column(int k, const X& change, X* u) const {
    for (int i = 0; i < Cone::kDim; ++i) {
      const int row = i > k ? i : k;
      const int column = i > k ? k : i;
      u[i] += c[DiscContact<Cone>::kBlock + row * (row + 1) / 2 + column] * change;
    }
  }
};

/// The parts of a contact in turn; @p u are the velocities with the impulses @p l.
template <class T, int kWidth, class Cone>
SCREE_INLINE void solve_in_turn(const SweepArguments<T>& a, const BatchNumbers<T, kWidth>& c,
                                lanes::Lanes<T, kWidth>* u, lanes::Lanes<T, kWidth>* l) {
  using Contact = DiscContact<Cone>;
  using X = lanes::Lanes<T, kWidth>;
  using Shape = DiscShape<Cone>;
  const DiscBlock<T, kWidth, Cone> d{c};
  const X normal = lanes::larger(X{}, l[0] - a.step * c[Contact::kInverse] * u[0]);
  d.add_column(0, normal - l[0], u);
  l[0] = normal;
  int first = 1;
  for (int j = 0; j < Shape::kDiscs; ++j) {
    const X step = a.step * c[Contact::kInverse + 1 + j];
    X x[2];
    for (int k = 0; k < Shape::kSize[j]; ++k) x[k] = l[first + k] - step * u[first + k];
    shrink<T, kWidth, Shape::kFaceted>(a, c[Contact::kLimits + j] * normal, Shape::kSize[j], x);
    for (int k = 0; k < Shape::kSize[j]; ++k) {
      d.add_column(first + k, x[k] - l[first + k], u);
      l[first + k] = x[k];
    }
    first += Shape::kSize[j];
  }
}

/// One projected step in the scales of pgs.hpp, with De Saxce's shift where @p shifted.
template <class T, int kWidth, class Cone>
SCREE_INLINE void solve_by_projection(const SweepArguments<T>& a, const BatchNumbers<T, kWidth>& c,
                                      bool shifted, const lanes::Lanes<T, kWidth>* u,
                                      lanes::Lanes<T, kWidth>* l) {
  using Contact = DiscContact<Cone>;
  using X = lanes::Lanes<T, kWidth>;
  using Shape = DiscShape<Cone>;
  X mu[Shape::kDiscs];
  X pull[Shape::kDiscs];
  for (int j = 0; j < Shape::kDiscs; ++j) {
    mu[j] = c[Contact::kLimits + j];
    pull[j] = c[Contact::kPull + j];
  }
  X shift{};
  if (shifted) {
    X size[Shape::kParts];
    X limit[Shape::kParts];
    parts_of<T, kWidth, Cone>(a, u + 1, mu, size, limit);
    for (int p = 0; p < Shape::kParts; ++p) shift += limit[p] * size[p];
  }
  l[0] -= a.step * c[Contact::kInverse] * (u[0] + shift);
  int row = 1;
  for (int j = 0; j < Shape::kDiscs; ++j) {
    const X step = a.step * c[Contact::kInverse + 1 + j];
    for (int k = 0; k < Shape::kSize[j]; ++k, ++row) l[row] -= step * u[row];
  }
  project_discs<T, kWidth, Cone>(a, mu, pull, l);
}

/// The result of a batch of contacts for the velocities @p u, before inertia.
/// @returns trace(D_ii) / dim.
template <class T, int kWidth, LocalLaw kLaw, class Cone>
SCREE_INLINE lanes::Lanes<T, kWidth> solve_discs(const SweepArguments<T>& a,
                                                 const BatchNumbers<T, kWidth>& c,
                                                 lanes::Lanes<T, kWidth>* u,
                                                 lanes::Lanes<T, kWidth>* l) {
  using Contact = DiscContact<Cone>;
  using X = lanes::Lanes<T, kWidth>;
  constexpr bool kOneByOne = std::is_same_v<Cone, cones::Pyramid>;
  X before[Cone::kDim];
  for (int k = 0; k < Cone::kDim; ++k) before[k] = l[k];
  if constexpr (kLaw == LocalLaw::coulomb || kOneByOne) {
    solve_in_turn<T, kWidth, Cone>(a, c, u, l);
  } else {
    solve_by_projection<T, kWidth, Cone>(a, c, kLaw == LocalLaw::projected, u, l);
  }
  if (a.relaxation != T(1)) {
    X mu[DiscShape<Cone>::kDiscs];
    for (int j = 0; j < DiscShape<Cone>::kDiscs; ++j) mu[j] = c[Contact::kLimits + j];
    for (int k = 0; k < Cone::kDim; ++k) l[k] = before[k] + a.relaxation * (l[k] - before[k]);
    project_discs<T, kWidth, Cone>(a, mu, mu, l);
  }
  return c[Contact::kWeight];
}

}  // namespace
}  // namespace scree
