#pragma once

#include "scree/geometry/pose.hpp"

namespace scree {

/// A circle about the z axis of its pose, in the plane z = 0.
struct Circle {
  Pose pose;
  double radius = 0.0;  ///< m
};

/// Whether two circles are linked: each passes once through the disc of the other. Circles that
/// touch, or the discs of which lie in one plane, are not.
bool are_linked(const Circle& a, const Circle& b);

}  // namespace scree
