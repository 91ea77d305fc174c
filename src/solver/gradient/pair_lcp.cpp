#include "pair_lcp.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace scree {
namespace {

constexpr std::uint32_t bit(std::size_t i) {
  return std::uint32_t{1} << i;
}

/// Added to the diagonal of D of several rows, over its mean. On beds of ellipsoids with
/// constraints that were found within a step 1e-9 to 1e-3 take the same iterations.
constexpr double kLift = 1e-6;
/// Exchanges of all misplaced rows that may leave as many, before rows are exchanged one by one.
constexpr int kTrials = 3;
constexpr int kMostPivots = 200;

}  // namespace

PairLcp::PairLcp(std::size_t first, std::size_t size, double* d, double* factor)
    : first_(first), size_(size), d_(d), factor_(factor) {
  double trace = 0.0;
  for (std::size_t i = 0; i < size_; ++i) trace += d_[i * (size_ + 1)];
  const double share = size_ > 1 ? kLift : 0.0;
  const double lift = trace > 0.0 ? share * trace / static_cast<double>(size_) : 1.0;
  for (std::size_t i = 0; i < size_; ++i) d_[i * (size_ + 1)] += lift;
  factorise(bit(size_) - 1);
}

std::uint32_t PairLcp::misplaced_at(const Numbers& q, Numbers& x) {
  solve_pressed(size_, q, x);
  return misplaced(size_, q, x);
}

/// 0 <= x  _|_  D x + q >= 0.
void PairLcp::pivot(const Numbers& q, Numbers& x) {
  std::size_t fewest = size_ + 1;
  int trials = kTrials;
  for (int k = 0; k < kMostPivots; ++k) {
    const std::uint32_t wrong = misplaced_at(q, x);
    if (wrong == 0) return;
    const auto count = static_cast<std::size_t>(std::popcount(wrong));
    if (count < fewest) {
      fewest = count;
      trials = kTrials;
    } else {
      --trials;
    }
    factorise(pressed_ ^ (trials >= 0 ? wrong : std::bit_floor(wrong)));
  }
  // not seen (pairs of twice the rows took 46 exchanges at most); the step is measured as any other
  solve_pressed(size_, q, x);
}

void PairLcp::exchange(std::size_t n, const double* d, double* factor, std::size_t stride,
                       const Numbers& q, Numbers& x) {
  Square own_d{};
  Square own_factor{};
  std::uint32_t pressed = 0;
  for (std::size_t k = 0; k < n * n; ++k) {
    own_d[k] = d[k * stride];
    own_factor[k] = factor[k * stride];
    if (k % (n + 1) == 0 && own_factor[k] > 0.0) pressed |= bit(k / (n + 1));
  }
  PairLcp(n, own_d.data(), own_factor.data(), pressed).pivot(q, x);
  for (std::size_t k = 0; k < n * n; ++k) factor[k * stride] = own_factor[k];
}

void PairLcp::factorise(std::uint32_t pressed) {
  pressed_ = pressed;
  const std::size_t n = size_;
  std::fill_n(factor_, n * n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    if ((pressed & bit(j)) == 0) continue;
    for (std::size_t i = j; i < n; ++i) {
      if ((pressed & bit(i)) == 0) continue;
      double sum = d_[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= factor_[i * n + k] * factor_[j * n + k];
      factor_[i * n + j] = i == j ? 1.0 / std::sqrt(std::max(sum, kNoise * d_[i * (n + 1)]))
                                  : sum * factor_[j * (n + 1)];
    }
  }
}

void PairLcp::invert(const std::vector<double>& b, std::vector<double>& x) {
  factorise(bit(size_) - 1);
  Numbers q{};
  for (std::size_t i = 0; i < size_; ++i) q[i] = -b[first_ + i];
  Numbers result{};
  solve_pressed(size_, q, result);
  for (std::size_t i = 0; i < size_; ++i) x[first_ + i] = result[i];
}

}  // namespace scree
