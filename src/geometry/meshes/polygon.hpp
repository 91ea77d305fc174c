#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/math.hpp"

namespace scree {

/// The most corners of a polygon that is no fan.
inline constexpr std::size_t kMostEars = 64;

/// A polygon, convex or not, as triangles of its corners' numbers, each turning as it does: a fan
/// about the first where that is within it, else by cutting off ears. None of one that crosses
/// itself, or that is no fan and has more than kMostEars corners: cutting takes the cube of their
/// number.
std::vector<std::array<std::int32_t, 3>> triangulated(std::span<const Vec3> corners);

}  // namespace scree
