#pragma once

/// Where the flats, or segments, of two bodies that look at each other lie over each other: the
/// corners of what they have in common, seen along the normal (Sutherland and Hodgman, Comm. ACM 17
/// (1974) 32).

#include <vector>

#include "scree/geometry/pairs/manifold.hpp"
#include "scree/geometry/shapes/supporting_face.hpp"

namespace scree {

/// The points of A's and B's faces towards each other, along the flat's normal, or of two parallel
/// segments along @p normal (unit, from B to A). None where one of them is a point, or two segments
/// cross.
/// @param size of the pair, m
std::vector<ContactPoint> face_overlap(const SupportingFace& a, const SupportingFace& b,
                                       const Vec3& normal, double size);

}  // namespace scree
