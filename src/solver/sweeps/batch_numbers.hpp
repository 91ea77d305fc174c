#pragma once

/// How kernels read and write the numbers of a batch (kernels.hpp), and vectors of lanes.

#include "kernels.hpp"
#include "lanes.hpp"

namespace scree {
namespace {  // each file that includes this compiles it for its own machine

template <class X>
struct LaneTriple {
  X x, y, z;
};
template <class X>
SCREE_INLINE X dot(const LaneTriple<X>& a, const LaneTriple<X>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class X>
SCREE_INLINE LaneTriple<X> cross(const LaneTriple<X>& a, const LaneTriple<X>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class X>
SCREE_INLINE LaneTriple<X> operator+(const LaneTriple<X>& a, const LaneTriple<X>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class X>
SCREE_INLINE LaneTriple<X> operator-(const LaneTriple<X>& a, const LaneTriple<X>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class X>
SCREE_INLINE LaneTriple<X> operator*(const X& s, const LaneTriple<X>& a) {
  return {s * a.x, s * a.y, s * a.z};
}

/// Smaller than any squared impulse that matters, and not zero in single precision.
template <class T>
inline constexpr T kTiny = static_cast<T>(1e-30);

/// Smaller than any impulse that matters, whose square is not zero in single precision.
template <class T>
inline constexpr T kTinySize = static_cast<T>(1e-18);

/// The numbers of one batch, `kWidth` contacts side by side.
template <class T, int kWidth>
struct BatchNumbers {
  using X = lanes::Lanes<T, kWidth>;
  T* at;
  SCREE_INLINE X operator[](std::size_t k) const { return lanes::load<X>(at + k * kWidth); }
  SCREE_INLINE LaneTriple<X> triple(std::size_t k) const {
    return {(*this)[k], (*this)[k + 1], (*this)[k + 2]};
  }
  SCREE_INLINE void put(std::size_t k, const X& x) const { lanes::store(x, at + k * kWidth); }
  SCREE_INLINE void put(std::size_t k, const LaneTriple<X>& x) const {
    put(k, x.x);
    put(k + 1, x.y);
    put(k + 2, x.z);
  }
};

/// Asks for what the batch after @p batch needs, with @p n_numbers, @p n_rows and @p n_of_base a
/// contact. The
/// processor does not look so far ahead by itself: steps at a contact wait for each other.
template <class T, int kWidth>
SCREE_INLINE void fetch_next(const SweepArguments<T>& a, std::size_t batch, std::size_t n_numbers,
                             std::size_t n_rows, std::size_t n_of_base = 0) {
  constexpr std::size_t kLanes = kWidth;
  const std::size_t next = batch + 1 < a.n_batches ? batch + 1 : batch;
  lanes::fetch(a.contacts + next * n_numbers * kLanes, n_numbers * kLanes);
  lanes::fetch(a.impulse + next * n_rows * kLanes, n_rows * kLanes);
  lanes::fetch(a.result + next * n_rows * kLanes, n_rows * kLanes);
  if (n_of_base > 0) lanes::fetch(a.base + next * n_of_base * kLanes, n_of_base * kLanes);
  const std::int32_t* body = a.bodies + next * 2 * kLanes;
  for (std::size_t i = 0; i < 2 * kLanes; ++i) {
    lanes::fetch(a.rows + lanes::row_of(body[i]), lanes::kRow);
    if (a.masses != nullptr) lanes::fetch(a.masses + lanes::row_of(body[i]), lanes::kRow);
  }
}

}  // namespace
}  // namespace scree
