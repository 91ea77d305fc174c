#include "pair_lcp.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace scree {
namespace {

constexpr std::uint32_t bit(std::size_t i) {
  return std::uint32_t{1} << i;
}

/// Added to the diagonal of D, over its mean. On beds of ellipsoids with constraints that were
/// found within a step 1e-9 to 1e-3 take the same iterations.
constexpr double kLift = 1e-6;
/// Exchanges of all misplaced rows that may leave as many, before rows are exchanged one by one.
constexpr int kTrials = 3;
constexpr int kMostPivots = 200;
constexpr double kNoise = 1e-14;  ///< of the largest number of the pair

}  // namespace

PairLcp::PairLcp(std::span<const std::int32_t> rows, double* d, double* factor)
    : rows_(rows), d_(d), factor_(factor) {
  double trace = 0.0;
  for (std::size_t i = 0; i < size(); ++i) trace += d_[i * (size() + 1)];
  const double lift = trace > 0.0 ? kLift * trace / static_cast<double>(size()) : 1.0;
  for (std::size_t i = 0; i < size(); ++i) d_[i * (size() + 1)] += lift;
  factorise(bit(size()) - 1);
}

void PairLcp::take(const std::vector<double>& y, const std::vector<double>& u, double t,
                   std::vector<double>& x) {
  Numbers q{};
  for (std::size_t i = 0; i < size(); ++i) {
    q[i] = t * u[rows_[i]];
    for (std::size_t j = 0; j < size(); ++j) q[i] -= d(i, j) * y[rows_[j]];
  }
  Numbers result{};
  pivot(q, result);
  for (std::size_t i = 0; i < size(); ++i) x[rows_[i]] = std::max(result[i], 0.0);
}

/// 0 <= x  _|_  D x + q >= 0.
void PairLcp::pivot(const Numbers& q, Numbers& x) {
  std::size_t fewest = size() + 1;
  int trials = kTrials;
  for (int k = 0; k < kMostPivots; ++k) {
    solve_pressed(q, x);
    const std::uint32_t wrong = misplaced(q, x);
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
  // not seen (pairs of 16 rows took 46 exchanges at most); the step is measured as any other
  solve_pressed(q, x);
}

/// The pressed rows that pull, and the others that close.
std::uint32_t PairLcp::misplaced(const Numbers& q, const Numbers& x) const {
  double largest_x = 0.0;
  double largest_q = 0.0;
  for (std::size_t i = 0; i < size(); ++i) {
    largest_x = std::max(largest_x, std::abs(x[i]));
    largest_q = std::max(largest_q, std::abs(q[i]));
  }
  std::uint32_t wrong = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    if (is_pressed(i)) {
      if (x[i] < -kNoise * largest_x) wrong |= bit(i);
      continue;
    }
    double velocity = q[i];
    for (std::size_t j = 0; j < size(); ++j) velocity += d(i, j) * x[j];
    if (velocity < -kNoise * largest_q) wrong |= bit(i);
  }
  return wrong;
}

/// Cholesky's factor of D among the rows of @p pressed.
void PairLcp::factorise(std::uint32_t pressed) {
  pressed_ = pressed;
  const std::size_t n = size();
  for (std::size_t j = 0; j < n; ++j) {
    if (!is_pressed(j)) continue;
    for (std::size_t i = j; i < n; ++i) {
      if (!is_pressed(i)) continue;
      double sum = d(i, j);
      for (std::size_t k = 0; k < j; ++k) {
        if (is_pressed(k)) sum -= factor_[i * n + k] * factor_[j * n + k];
      }
      factor_[i * n + j] =
          i == j ? std::sqrt(std::max(sum, kNoise * d(i, i))) : sum / factor_[j * (n + 1)];
    }
  }
}

/// D x = -q among the pressed rows; the others are zero.
void PairLcp::solve_pressed(const Numbers& q, Numbers& x) const {
  const std::size_t n = size();
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = 0.0;
    if (!is_pressed(i)) continue;
    double sum = -q[i];
    for (std::size_t k = 0; k < i; ++k) {
      if (is_pressed(k)) sum -= factor_[i * n + k] * x[k];
    }
    x[i] = sum / factor_[i * (n + 1)];
  }
  for (std::size_t i = n; i-- > 0;) {
    if (!is_pressed(i)) continue;
    double sum = x[i];
    for (std::size_t k = i + 1; k < n; ++k) {
      if (is_pressed(k)) sum -= factor_[k * n + i] * x[k];
    }
    x[i] = sum / factor_[i * (n + 1)];
  }
}

double PairLcp::dot(const std::vector<double>& a, const std::vector<double>& b) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < size(); ++i) {
    for (std::size_t j = 0; j < size(); ++j) sum += a[rows_[i]] * d(i, j) * b[rows_[j]];
  }
  return sum;
}

void PairLcp::invert(const std::vector<double>& b, std::vector<double>& x) {
  factorise(bit(size()) - 1);
  Numbers q{};
  for (std::size_t i = 0; i < size(); ++i) q[i] = -b[rows_[i]];
  Numbers result{};
  solve_pressed(q, result);
  for (std::size_t i = 0; i < size(); ++i) x[rows_[i]] = result[i];
}

}  // namespace scree
