#pragma once

/// The keys of grains that come in while a run goes on; domain/insertion.hpp puts them in.

#include <cstdint>

#include "scree/sources/populations.hpp"
#include "scree/sources/regions.hpp"

namespace scree {

class Declaration;

/// No end by time or height.
inline constexpr double kNever = 1e9;

/// Grains that come into a region at a rate, from `start` on, until the first of: `stop`, `count`
/// grains, a bed of `height`.
struct InsertionSpec : GrainKind {
  Region region;
  double rate = 0.0;       ///< kg/s
  double start = 0.0;      ///< s
  double stop = kNever;    ///< s
  std::int64_t count = 0;  ///< 0: no limit
  double height = kNever;  ///< m
  std::int64_t seed = 1;

  void declare(Declaration& d);
};

}  // namespace scree
