#pragma once

/// The projected step of the half lines of a pair, in the metric of their block D of N:
///
///     x = argmin  t u . x + (x - y) . D (x - y) / 2   over x >= 0
///
/// an LCP of a few rows, solved by block principal pivoting from the rows that pressed in the step
/// before: seldom does any change, and the factors of D among them are kept.
/// Reference: Judice, Pires (1994), A block principal pivoting algorithm for large-scale strictly
/// monotone linear complementarity problems.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "scree/base/instructions.hpp"
#include "scree/problem/pair_blocks.hpp"

namespace scree {

/// Calls @p work with @p n, as a constant where pairs mostly have so many rows: most of the work on
/// these is otherwise in loops.
template <class Work>
SCREE_INLINE auto with_size(std::size_t n, const Work& work) {
  if (n == 2) return work(std::integral_constant<std::size_t, 2>());
  if (n == 3) return work(std::integral_constant<std::size_t, 3>());
  if (n == 4) return work(std::integral_constant<std::size_t, 4>());
  return work(n);
}

class PairLcp {
 public:
  using Numbers = std::array<double, PairBlocks::kMost>;
  using Square = std::array<double, PairBlocks::kMost * PairBlocks::kMost>;
  static constexpr double kNoise = 1e-14;  ///< of the largest number of the pair

  /// The pair has @p size rows, from @p first on. @p d: D, row-major, to which a little is added on
  /// the diagonal; @p factor: as many numbers. @pre both outlive this.
  PairLcp(std::size_t first, std::size_t size, double* d, double* factor);

  /// @p x at the rows of the pair among this rank's.
  SCREE_INLINE void take(const std::vector<double>& y, const std::vector<double>& u, double t,
                         std::vector<double>& x);
  /// Adds a . D a and a . D b to @p sums.
  SCREE_INLINE void add_dots(const std::vector<double>& a, const std::vector<double>& b,
                             std::array<double, 2>& sums) const;
  /// @p x = D^-1 @p b at the rows of the pair.
  void invert(const std::vector<double>& b, std::vector<double>& x);

  /// The LCP of a pair of @p n rows by itself, 0 <= x _|_ D x + q >= 0. D, with what is added, is
  /// in every @p stride-th number of @p d; in those of @p factor are the factors of the rows that
  /// pressed before, which become those of the rows that press.
  static void exchange(std::size_t n, const double* d, double* factor, std::size_t stride,
                       const Numbers& q, Numbers& x);

 private:
  PairLcp(std::size_t size, double* d, double* factor, std::uint32_t pressed)
      : first_(0), size_(size), d_(d), factor_(factor), pressed_(pressed) {}

  std::uint32_t misplaced_at(const Numbers& q, Numbers& x);
  void pivot(const Numbers& q, Numbers& x);
  void factorise(std::uint32_t pressed);
  template <class Size>
  SCREE_INLINE std::uint32_t misplaced(Size n, const Numbers& q, const Numbers& x) const;
  template <class Size>
  SCREE_INLINE void solve_pressed(Size n, const Numbers& q, Numbers& x) const;

  std::size_t first_;
  std::size_t size_;
  double* d_;
  /// Cholesky's, lower, of D among the pressed rows, with 1 over its diagonal; the other rows and
  /// columns are zero, so that their impulses come out as zero.
  double* factor_;
  std::uint32_t pressed_ = 0;  ///< rows that factor_ is of, a bit each
};

SCREE_INLINE void PairLcp::take(const std::vector<double>& y, const std::vector<double>& u,
                                double t, std::vector<double>& x) {
  Numbers q;
  Numbers result;
  const std::uint32_t wrong = with_size(size_, [&](auto n) {
    for (std::size_t i = 0; i < n; ++i) {
      q[i] = t * u[first_ + i];
      for (std::size_t j = 0; j < n; ++j) q[i] -= d_[i * n + j] * y[first_ + j];
    }
    solve_pressed(n, q, result);
    return misplaced(n, q, result);
  });
  if (wrong != 0) pivot(q, result);
  for (std::size_t i = 0; i < size_; ++i) x[first_ + i] = std::max(result[i], 0.0);
}

SCREE_INLINE void PairLcp::add_dots(const std::vector<double>& a, const std::vector<double>& b,
                                    std::array<double, 2>& sums) const {
  with_size(size_, [&](auto n) {
    for (std::size_t i = 0; i < n; ++i) {
      double response = 0.0;
      for (std::size_t j = 0; j < n; ++j) response += d_[i * n + j] * a[first_ + j];
      sums[0] += a[first_ + i] * response;
      sums[1] += b[first_ + i] * response;
    }
  });
}

/// The pressed rows that pull, and the others that close.
template <class Size>
SCREE_INLINE std::uint32_t PairLcp::misplaced(Size n, const Numbers& q, const Numbers& x) const {
  double largest_x = 0.0;
  double largest_q = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    largest_x = std::max(largest_x, std::abs(x[i]));
    largest_q = std::max(largest_q, std::abs(q[i]));
  }
  std::uint32_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double velocity = q[i];
    for (std::size_t j = 0; j < n; ++j) velocity += d_[i * n + j] * x[j];
    const bool is_pressed = (pressed_ >> i & 1U) != 0;
    const bool pulls = x[i] < -kNoise * largest_x;
    const bool closes = velocity < -kNoise * largest_q;
    wrong |= static_cast<std::uint32_t>(is_pressed ? pulls : closes) << i;
  }
  return wrong;
}

/// D x = -q among the pressed rows; the others are zero.
template <class Size>
SCREE_INLINE void PairLcp::solve_pressed(Size n, const Numbers& q, Numbers& x) const {
  for (std::size_t i = 0; i < n; ++i) {
    double sum = -q[i];
    for (std::size_t k = 0; k < i; ++k) sum -= factor_[i * n + k] * x[k];
    x[i] = sum * factor_[i * (n + 1)];
  }
  for (std::size_t i = n; i-- > 0;) {
    double sum = x[i];
    for (std::size_t k = i + 1; k < n; ++k) sum -= factor_[k * n + i] * x[k];
    x[i] = sum * factor_[i * (n + 1)];
  }
}

}  // namespace scree
