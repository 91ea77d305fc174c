#pragma once

/// Grains that are taken out of a run: those that leave a box, and those that come into one.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/sources/regions.hpp"

namespace scree {

/// Grains whose centre comes into it are removed.
struct RemovalBox : BoxRegion {
  std::string name;
};

/// Counts of removed grains. A grain that is outside of one box and in the other counts as left.
struct Removed {
  std::int64_t left = 0;         ///< grains that left the box to be kept inside of
  std::int64_t discharged = 0;   ///< grains that came into a removal box
  double discharged_mass = 0.0;  ///< mass of the discharged grains, kg
};

/// For each owned grain, whether it stays: what keep_owned takes. A centre that is no number is in
/// no box. Adds to @p removed what does not stay. Not collective.
std::vector<bool> staying(const Store& store, const std::optional<BoxRegion>& keep_inside,
                          std::span<const RemovalBox> boxes, Removed& removed);

}  // namespace scree
