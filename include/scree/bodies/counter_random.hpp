#pragma once

/// Random numbers by counting: number k of item i under a seed is a hash of the three, so that any
/// rank can make any item's numbers without having made those before.

#include <cstdint>

namespace scree {

/// Finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection that mixes all bits.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/// Uniform in [0, 1), with 53 random bits.
constexpr double uniform_number(std::uint64_t seed, std::uint64_t item, std::uint64_t number) {
  const std::uint64_t bits = mixed(mixed(mixed(seed) ^ item) ^ number);
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

}  // namespace scree
