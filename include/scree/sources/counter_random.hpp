#pragma once

/// Random numbers by counting: number k of item i under a seed is a hash of the three, so that any
/// rank can make any item's numbers without having made those before.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "scree/base/math.hpp"

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

/// Where number @p i of 0 .. @p n - 1 goes in a random order under @p seed: a permutation, by a
/// Feistel network on the next power of four, walked until it is back below n. @pre 0 <= i < n.
constexpr std::uint64_t shuffled(std::uint64_t seed, std::uint64_t i, std::uint64_t n) {
  const int bits = static_cast<int>(std::bit_width(n - 1) + 1) / 2;  // of each half
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  do {
    std::uint64_t left = i >> bits;
    std::uint64_t right = i & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t next = left ^ (mixed(mixed(seed ^ mixed(round)) ^ right) & mask);
      left = right;
      right = next;
    }
    i = left << bits | right;
  } while (i >= n);
  return i;
}

/// Uniform in [0, 1): of items that follow on each other, each @p block (from a multiple of it) has
/// one in each of as many equal parts of the interval, in random order.
constexpr double stratified_number(std::uint64_t seed, std::uint64_t item, std::uint64_t block,
                                   std::uint64_t number) {
  const std::uint64_t part = shuffled(mixed(seed ^ mixed(item / block)), item % block, block);
  return (static_cast<double>(part) + uniform_number(seed, item, number)) /
         static_cast<double>(block);
}

/// Uniform in [0, 1), for items without a known end: each 32 that follow on each other (from a
/// multiple of it) have one in each of 32 equal parts of the interval, and each 1024 in each of
/// 1024.
constexpr double nested_number(std::uint64_t seed, std::uint64_t item, std::uint64_t number) {
  constexpr std::uint64_t kParts = 32;
  const std::uint64_t run = item / kParts;
  const std::uint64_t part = shuffled(mixed(seed ^ mixed(run)), item % kParts, kParts);
  const std::uint64_t of_part = mixed(seed ^ mixed(kParts * (run / kParts) + part));
  const std::uint64_t finer = shuffled(mixed(of_part), run % kParts, kParts);
  return (static_cast<double>(kParts * part + finer) + uniform_number(seed, item, number)) /
         static_cast<double>(kParts * kParts);
}

/// Three numbers in [0, 1): those from @p first on.
inline Vec3 uniform_vector(std::uint64_t seed, std::uint64_t item, std::uint64_t first) {
  return {uniform_number(seed, item, first), uniform_number(seed, item, first + 1),
          uniform_number(seed, item, first + 2)};
}

/// A point evenly at random in the ball of @p radius about zero (of no radius below zero), from
/// three numbers in [0, 1).
inline Vec3 in_ball(double radius, const Vec3& random) {
  const double z = 2.0 * random.y() - 1.0;
  const double turn = 2.0 * std::numbers::pi * random.z();
  const double across = std::sqrt(1.0 - z * z);
  return std::max(radius, 0.0) * std::cbrt(random.x()) *
         Vec3(across * std::cos(turn), across * std::sin(turn), z);
}

}  // namespace scree
