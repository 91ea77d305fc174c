#pragma once

/// The grains of a snapshot, as what looks at finished runs needs them.

#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

#include "scree/base/math.hpp"

namespace scree {

struct SnapshotGrain {
  Vec3 position;  ///< centre, m
  double radius;  ///< radius of the ball of its volume, m
  Vec3 velocity;  ///< m/s
  bool held;      ///< one degree of freedom or more is fixed
};

/// The arrays that are read besides those which every snapshot has
/// (io/paraview/snapshot_content.hpp).
inline constexpr std::array<std::string_view, 2> kArraysOfGrains{"velocity", "fixed"};

/// Not collective. @throws InputError naming file and dataset for a snapshot that is missing or
/// damaged.
std::vector<SnapshotGrain> read_snapshot_grains(const std::filesystem::path& path);

}  // namespace scree
