#pragma once

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"

namespace scree::test {

/// The deepest point of two shapes that need no shape library.
inline ContactPoint separation(const Shape& a, const Pose& pose_a, const Shape& b,
                               const Pose& pose_b) {
  return contacts_between(a, pose_a, b, pose_b, ShapeLibrary(), 0.0).deepest();
}

}  // namespace scree::test
