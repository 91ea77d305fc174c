#pragma once

/// Surfaces of shapes as triangles, for viewers; round ones to some hundredths of their size.

#include <array>
#include <cstdint>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/shape_list.hpp"

namespace scree {

class ShapeLibrary;

struct SurfaceMesh {
  std::vector<Vec3> points;                            ///< m
  std::vector<std::array<std::int32_t, 3>> triangles;  ///< counter-clockwise seen from outside
};

/// The surface of @p shape at @p pose, world frame. Of what has no end (a plane, the wall of a
/// round hole) that part which is beside the box @p seen. A cluster has none.
SurfaceMesh surface_of(const Shape& shape, const ShapeLibrary& shapes, const Pose& pose,
                       const Box3& seen);

}  // namespace scree
