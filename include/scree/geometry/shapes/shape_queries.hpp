#pragma once

/// Questions to a shape without knowing which it is.

#include <string_view>

#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/shape.hpp"
#include "scree/geometry/shapes/shape_list.hpp"

namespace scree {

class ShapeLibrary;
struct RoundHole;

/// The axis-aligned box of @p shape at @p pose. Sides are infinite where the shape is.
Box3 box_of(const Shape& shape, const Pose& pose, const ShapeLibrary& library);
double volume(const Shape& shape, const ShapeLibrary& library);  ///< m^3; infinite for a plane
double volume_of_ball(double radius);                            ///< m^3
/// Principal moments of inertia over mass, body frame, m^2.
Vec3 inertia_per_mass(const Shape& shape, const ShapeLibrary& library);
std::string_view type_of(const Shape& shape);  ///< name of its type in YAML

/// The radius of the least ball about the centre of mass that holds @p shape, m; infinite for walls
/// without end.
double bounding_radius(const Shape& shape, const ShapeLibrary& library);
/// The radius of the largest ball about the centre of mass inside @p shape, m; of the tube for a
/// ring, whose centre is outside; infinite for walls without end.
double inscribed_radius(const Shape& shape, const ShapeLibrary& library);
/// The radius of the ball of the same volume, m.
double equal_volume_radius(const Shape& shape, const ShapeLibrary& library);
/// The point of @p shape that is farthest along @p direction, both in the body's frame.
/// @throws Failure for walls without end, rings and clusters
Vec3 support(const Shape& shape, const Vec3& direction, const ShapeLibrary& library);
/// The point of its surface that is nearest to @p p, body frame.
SurfacePoint nearest_of(const Shape& shape, const Vec3& p, const ShapeLibrary& library);
/// Whether @p shape may be a grain: convex and of finite size.
bool is_convex_body(const Shape& shape);

/// Whether @p shape stays what it is when moved along @p direction (a unit vector of its frame).
bool endless_along(const Shape& shape, const Vec3& direction);

/// The hole of a shape that has one, else nullptr.
const RoundHole* hole_of(const Shape& shape);

/// How far from its axis a turning body's surface may be, m: 0 for a sphere, whose surface does not
/// move when it turns, infinite for a plane.
double spin_radius(const Shape& shape, const ShapeLibrary& library);

/// The part of a body's angular velocity @p spin that moves its surface, rad/s, in the same frame:
/// all but that about the axis of a shape of revolution. Zero where nothing is left but the
/// rounding of a tool's spin, which is a difference of its poses over dt. A ring counts with all of
/// its spin, since what lies in it is carried along.
Vec3 surface_spin(const Shape& shape, const Quat& orientation, const Vec3& spin);

}  // namespace scree
