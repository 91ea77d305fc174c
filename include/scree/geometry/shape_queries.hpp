#pragma once

/// What is asked of a shape without knowing which it is.

#include <string_view>

#include "scree/geometry/pose.hpp"
#include "scree/geometry/shape_list.hpp"

namespace scree {

/// The axis-aligned box of @p shape at @p pose. Sides are infinite where the shape is.
Box3 box_of(const Shape& shape, const Pose& pose);

double volume(const Shape& shape);             ///< m^3; infinite for a plane
Vec3 inertia_per_mass(const Shape& shape);     ///< principal moments over mass, m^2
std::string_view type_of(const Shape& shape);  ///< its word in YAML

/// Whether @p shape stays what it is when moved along @p direction (a unit vector of its frame).
bool endless_along(const Shape& shape, const Vec3& direction);

/// The hole of a shape that has one, else nullptr.
const RoundHole* hole_of(const Shape& shape);

/// How far from its axis a turning body's surface may be, m: 0 for a sphere, whose surface does not
/// move when it turns, infinite for a plane.
double spin_radius(const Shape& shape);

}  // namespace scree
