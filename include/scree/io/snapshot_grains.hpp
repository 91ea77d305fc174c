#pragma once

/// The grains of a snapshot, as what looks at finished runs needs them.

#include <filesystem>
#include <vector>

#include "scree/base/math.hpp"

namespace scree {

struct SnapshotGrain {
  Vec3 position;  ///< centre, m
  double radius;  ///< radius of the ball of its volume, m
  Vec3 velocity;  ///< m/s
  bool held;      ///< one degree of freedom or more is fixed
};

/// Not collective. @throws InputError naming file and dataset for a snapshot that is missing or damaged.
std::vector<SnapshotGrain> read_snapshot_grains(const std::filesystem::path& path);

}  // namespace scree
