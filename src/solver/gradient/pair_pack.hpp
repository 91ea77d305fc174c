#pragma once

/// A gradient step of several pairs of as many half lines each, side by side in the lanes of
/// vectors (half_line_pairs.hpp). Inline, so that each caller compiles it for its own instructions
/// (base/instructions.hpp).
///
/// Numbers of a pack stand one after another, each for all lanes: those of row i at i * kPairLanes,
/// of the block of N at (i * n + j) * kPairLanes. A lane without a pair has spare bodies and moves
/// nothing. Bodies have rows of stride_of<kColumns> numbers.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "scree/base/instructions.hpp"
#include "scree/problem/pair_blocks.hpp"
#include "solver/gradient/pair_lcp.hpp"
#include "solver/sweeps/lanes.hpp"

namespace scree {

inline constexpr std::size_t kPairLanes = 8;
using PairLanes = lanes::Lanes<double, kPairLanes>;

/// Numbers of a body with @p columns columns: what is loaded at once.
constexpr std::size_t stride_of(std::size_t columns) {
  return columns > 4 ? 8 : 4;
}

/// Numbers of a pack.
template <class T>
struct PackNumbers {
  T* at;
  SCREE_INLINE PairLanes operator[](std::size_t k) const {
    return lanes::load<PairLanes>(at + k * kPairLanes);
  }
  SCREE_INLINE void put(std::size_t k, const PairLanes& x) const {
    lanes::store(x, at + k * kPairLanes);
  }
};

struct PairPack {
  const std::int32_t* bodies;           ///< the first of each pair, then the second
  PackNumbers<const double> of_bodies;  ///< B, of each row that of the first body, then the other
  PackNumbers<const double> velocity;   ///< r
  PackNumbers<const double> softness;   ///< R
  PackNumbers<const double> d;
  PackNumbers<double> factor;  ///< of PairLcp
  PackNumbers<const double> x;
  PackNumbers<const double> x_before;
  PackNumbers<double> next;
};

/// Sums of GradientSums, in lanes; of the curvature the part of R.
struct PairSums {
  PairLanes moved, along, curvature;
};

/// The numbers @p w of the bodies @p ids in @p rows.
template <std::size_t kColumns>
SCREE_INLINE void load_bodies(const double* rows, const std::int32_t* ids, PairLanes* w) {
  constexpr std::size_t kStride = stride_of(kColumns);
  for (std::size_t at = 0; at < kStride; at += 4) {
    std::array<lanes::Quad, kPairLanes> quads;
    for (std::size_t l = 0; l < kPairLanes; ++l) {
      quads[l] = lanes::load<lanes::Quad>(rows + kStride * static_cast<std::size_t>(ids[l]) + at);
    }
    lanes::transpose(&quads[0]);
    lanes::transpose(&quads[4]);
    for (std::size_t c = at; c < std::min(at + 4, kColumns); ++c) {
      w[c] = __builtin_shufflevector(quads[c - at], quads[c - at + 4], 0, 1, 2, 3, 4, 5, 6, 7);
    }
  }
}

/// Adds @p w to the bodies @p ids in @p rows, of which some may be the same.
template <std::size_t kColumns>
SCREE_INLINE void add_to_bodies(const PairLanes* w, const std::int32_t* ids, double* rows) {
  constexpr std::size_t kStride = stride_of(kColumns);
  for (std::size_t at = 0; at < kStride; at += 4) {
    std::array<lanes::Quad, kPairLanes> quads{};
    for (std::size_t c = at; c < std::min(at + 4, kColumns); ++c) {
      quads[c - at] = __builtin_shufflevector(w[c], w[c], 0, 1, 2, 3);
      quads[c - at + 4] = __builtin_shufflevector(w[c], w[c], 4, 5, 6, 7);
    }
    lanes::transpose(&quads[0]);
    lanes::transpose(&quads[4]);
    for (std::size_t l = 0; l < kPairLanes; ++l) {
      double* row = rows + kStride * static_cast<std::size_t>(ids[l]) + at;
      lanes::store(lanes::load<lanes::Quad>(row) + quads[l], row);
    }
  }
}

/// The step of pairs of @p n rows each, by their LCPs (pair_lcp.hpp): 0 <= x _|_ D x + q >= 0.
template <class Size>
class PackLcp {
 public:
  using Numbers = std::array<PairLanes, PairBlocks::kMost>;

  SCREE_INLINE PackLcp(Size n, const PairPack& pack) : n_(n), d_(pack.d), factor_(pack.factor) {}

  SCREE_INLINE void take(const Numbers& y, const Numbers& u, double t, Numbers& x) {
    Numbers q;
    for (std::size_t i = 0; i < n_; ++i) q[i] = t * u[i] - times(i, y);
    solve_pressed(q, x);
    const PairLanes wrong = misplaced(q, x);
    if (lanes::sum<double, kPairLanes>(wrong) > 0.0) exchange(wrong, q, x);
    for (std::size_t i = 0; i < n_; ++i) x[i] = lanes::larger(x[i], PairLanes{});
  }
  /// (D a)_i
  SCREE_INLINE PairLanes times(std::size_t i, const Numbers& a) const {
    PairLanes sum{};
    for (std::size_t j = 0; j < n_; ++j) sum += d_[i * n_ + j] * a[j];
    return sum;
  }

 private:
  SCREE_INLINE void solve_pressed(const Numbers& q, Numbers& x) const {
    for (std::size_t i = 0; i < n_; ++i) {
      PairLanes sum = -q[i];
      for (std::size_t k = 0; k < i; ++k) sum -= factor_[i * n_ + k] * x[k];
      x[i] = sum * factor_[i * n_ + i];
    }
    for (std::size_t i = n_; i-- > 0;) {
      PairLanes sum = x[i];
      for (std::size_t k = i + 1; k < n_; ++k) sum -= factor_[k * n_ + i] * x[k];
      x[i] = sum * factor_[i * n_ + i];
    }
  }
  /// Positive where some pressed row pulls, or another closes, by more than rounding.
  SCREE_INLINE PairLanes misplaced(const Numbers& q, const Numbers& x) const {
    const PairLanes zero{};
    PairLanes largest_x{};
    PairLanes largest_q{};
    for (std::size_t i = 0; i < n_; ++i) {
      largest_x = lanes::larger(largest_x, lanes::larger(x[i], -x[i]));
      largest_q = lanes::larger(largest_q, lanes::larger(q[i], -q[i]));
    }
    PairLanes worst{};
    for (std::size_t i = 0; i < n_; ++i) {
      const PairLanes pulls = -x[i] - PairLcp::kNoise * largest_x;
      const PairLanes closes = -(q[i] + times(i, x)) - PairLcp::kNoise * largest_q;
      worst = lanes::larger(worst, factor_[i * n_ + i] > zero ? pulls : closes);
    }
    return worst;
  }
  /// Exchanges rows of the pairs that are @p wrong.
  SCREE_INLINE void exchange(const PairLanes& wrong, const Numbers& q, Numbers& x) {
    for (std::size_t l = 0; l < kPairLanes; ++l) {
      if (!(wrong[l] > 0.0)) continue;
      PairLcp::Numbers own_q{};
      PairLcp::Numbers own_x{};
      for (std::size_t i = 0; i < n_; ++i) own_q[i] = q[i][l];
      PairLcp::exchange(n_, d_.at + l, factor_.at + l, kPairLanes, own_q, own_x);
      for (std::size_t i = 0; i < n_; ++i) x[i][l] = own_x[i];
    }
  }

  Size n_;
  PackNumbers<const double> d_;
  PackNumbers<double> factor_;
};

template <std::size_t kColumns, class Size>
SCREE_INLINE void step_pack(Size n, const PairPack& pack, const double* from, double* after,
                            double t, double momentum, PairSums& sums) {
  using Numbers = typename PackLcp<Size>::Numbers;
  std::array<PairLanes, kColumns> a;
  std::array<PairLanes, kColumns> b;
  load_bodies<kColumns>(from, pack.bodies, a.data());
  load_bodies<kColumns>(from, pack.bodies + kPairLanes, b.data());
  Numbers y;
  Numbers u;
  for (std::size_t i = 0; i < n; ++i) {
    const PairLanes x = pack.x[i];
    y[i] = x + momentum * (x - pack.x_before[i]);
    u[i] = pack.velocity[i] + pack.softness[i] * y[i];
    for (std::size_t c = 0; c < kColumns; ++c) {
      u[i] += pack.of_bodies[2 * kColumns * i + c] * a[c] +
              pack.of_bodies[2 * kColumns * i + kColumns + c] * b[c];
    }
  }
  PackLcp<Size> lcp(n, pack);
  Numbers x;
  lcp.take(y, u, t, x);
  a.fill(PairLanes{});
  b.fill(PairLanes{});
  Numbers d;
  for (std::size_t i = 0; i < n; ++i) {
    d[i] = x[i] - y[i];
    sums.curvature += pack.softness[i] * d[i] * d[i];
    pack.next.put(i, x[i]);
    for (std::size_t c = 0; c < kColumns; ++c) {
      a[c] += pack.of_bodies[2 * kColumns * i + c] * x[i];
      b[c] += pack.of_bodies[2 * kColumns * i + kColumns + c] * x[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    const PairLanes response = lcp.times(i, d);
    sums.moved += d[i] * response;
    sums.along += (x[i] - pack.x[i]) * response;
  }
  add_to_bodies<kColumns>(a.data(), pack.bodies, after);
  add_to_bodies<kColumns>(b.data(), pack.bodies + kPairLanes, after);
}

}  // namespace scree
