#pragma once

#include <bit>
#include <cstdint>

namespace scree {

/// The cube root of @p x, to a unit in the last place or two, in a fourth of the library's time,
/// and for many at once where a loop calls it. A third of the bits as an integer is within 6 % of
/// it, and each of Halley's steps takes the relative error e to 2/3 e^3. @pre x is a normal number
/// above 0
inline double cube_root(double x) {
  constexpr std::uint64_t kBias = 0x2a9f7893782da1ceULL;  // least error over a factor of 8
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  // 1/3 = 5/16 (1 + 1/16) (1 + 1/256) ...: vectors have no division of integers
  std::uint64_t third = (bits >> 2) + (bits >> 4);
  third += third >> 4;
  third += third >> 8;
  third += third >> 16;
  double y = std::bit_cast<double>(third + kBias);
  for (int step = 0; step < 3; ++step) {
    const double cube = y * y * y;
    y *= (cube + 2.0 * x) / (2.0 * cube + x);
  }
  return y;
}

}  // namespace scree
