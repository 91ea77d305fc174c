#pragma once

/// The projected step of the half lines of a pair, in the metric of their block D of N:
///
///     x = argmin  t u . x + (x - y) . D (x - y) / 2   over x >= 0
///
/// an LCP of a few rows, solved by block principal pivoting from the rows that pressed in the step
/// before: seldom does any change, and the factors of D among them are kept.
/// Reference: Judice, Pires (1994), A block principal pivoting algorithm for large-scale strictly
/// monotone linear complementarity problems.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/problem/pair_blocks.hpp"

namespace scree {

class PairLcp {
 public:
  /// @p d: D, row-major, to which a little is added on the diagonal; @p factor: as many numbers.
  /// @pre all outlive this.
  PairLcp(std::span<const std::int32_t> rows, double* d, double* factor);

  /// @p x at the rows of the pair among this rank's.
  void take(const std::vector<double>& y, const std::vector<double>& u, double t,
            std::vector<double>& x);
  /// a . D b
  double dot(const std::vector<double>& a, const std::vector<double>& b) const;
  /// @p x = D^-1 @p b at the rows of the pair.
  void invert(const std::vector<double>& b, std::vector<double>& x);

 private:
  using Numbers = std::array<double, PairBlocks::kMost>;

  std::size_t size() const { return rows_.size(); }
  double d(std::size_t i, std::size_t j) const { return d_[i * size() + j]; }
  bool is_pressed(std::size_t i) const { return (pressed_ >> i & 1U) != 0; }
  void pivot(const Numbers& q, Numbers& x);
  std::uint32_t misplaced(const Numbers& q, const Numbers& x) const;
  void factorise(std::uint32_t pressed);
  void solve_pressed(const Numbers& q, Numbers& x) const;

  std::span<const std::int32_t> rows_;
  double* d_;
  double* factor_;             ///< lower, of D among the pressed rows
  std::uint32_t pressed_ = 0;  ///< rows that factor_ is of, a bit each
};

}  // namespace scree
