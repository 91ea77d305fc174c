#pragma once

/// Which arrays of the grains a snapshot holds, and with how many digits.
///
/// Position (in double precision), id and radius are always there. What a grain keeps all its life
/// follows from its shape and its material, and is there on request only: the mass is density 4/3
/// pi radius^3, with the material's density in the table /materials (scripts/scree_results.py
/// computes mass and inertia). Checkpoints hold everything bit for bit, whatever is said here.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "scree/base/enumeration.hpp"

namespace scree {

enum class SnapshotPrecision { single, full };
template <>
inline constexpr std::array kNamesOf<SnapshotPrecision> = names("single", "double");

/// Arrays that may be asked for besides position, id and radius. `parent` and `generation` are the
/// lineage of grains that divide (sources/growth.hpp). With `shape` come, in runs with polyhedra,
/// `hull` and `scale`; `unwrapped_position` is there in periodic runs only.
inline constexpr std::array<std::string_view, 15> kSnapshotArrays{"velocity",
                                                                  "angular_velocity",
                                                                  "orientation",
                                                                  "shape",
                                                                  "semi_axes",
                                                                  "material",
                                                                  "group",
                                                                  "fixed",
                                                                  "owner",
                                                                  "mass",
                                                                  "inertia",
                                                                  "work",
                                                                  "unwrapped_position",
                                                                  "parent",
                                                                  "generation"};

struct SnapshotContent {
  std::vector<std::string> arrays = {"velocity",  "angular_velocity",  "orientation", "shape",
                                     "semi_axes", "material",          "group",       "fixed",
                                     "owner",     "unwrapped_position"};
  SnapshotPrecision precision = SnapshotPrecision::single;
  bool deflate = true;

  /// Everything, bit for bit.
  static SnapshotContent exact() {
    return {.arrays = {kSnapshotArrays.begin(), kSnapshotArrays.end()},
            .precision = SnapshotPrecision::full};
  }
  /// Whether the array @p name is written.
  bool has(std::string_view name) const;
};

}  // namespace scree
