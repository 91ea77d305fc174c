#pragma once

/// The numbers of a hull that a file keeps; all others follow from them, bit for bit.

#include <cstdint>
#include <string_view>
#include <vector>

#include "scree/geometry/hulls/hull.hpp"

namespace scree {

struct StoredHull {
  std::vector<Vec3> vertices;                    ///< in the hull's frame, m
  std::vector<std::vector<std::int32_t>> loops;  ///< of the faces, counter-clockwise from outside
  double volume = 0.0;                           ///< m^3
  Vec3 inertia_per_mass = Vec3::Zero();          ///< m^2
  Pose in_file;                                  ///< the hull's frame in that of its points
};

StoredHull stored(const Hull& hull);

/// @p name is what messages call it. @throws InputError for what is no closed solid about the
/// origin
Hull restored(const StoredHull& stored, std::string_view name);

}  // namespace scree
