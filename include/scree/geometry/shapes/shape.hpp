#pragma once

/// Every shape is a plain struct in geometry/shapes/, listed in geometry/shapes/shape_list.hpp, and
/// gives:
///
///     static constexpr std::string_view kType, kHelp;   the word in YAML
///     void declare(Declaration&)                         its parameters, so that any can be a tool
///     SurfacePoint nearest(const Vec3& p) const          the surface point nearest to p, body frame
///     Box3 bounds(const Mat3& R) const                   the axis-aligned box of the shape turned by
///                                                        R about the frame's origin, from there
///     double volume() const                              m^3
///     Vec3 inertia_per_mass() const                      principal moments over mass, m^2
///
/// A shape of finite size gives besides:
///
///     double bounding_radius(), inscribed_radius() const m, of balls about the origin
///
/// and a convex one
///
///     Vec3 support(const Vec3& direction) const          a point farthest along the direction
///     double rounding_radius() const                     m: the shape is all that is within it of its
///                                                        core (a point, a segment, a polytope, or
///                                                        a convex body of some size)
///     static constexpr bool kIsSmooth                    true where it has neither flats nor straight
///                                                        lines, edges nor corners (optional)
///
/// and, to be a grain,
///
///     scaled(double factor) const                        the same, so many times as large
///     static from_half_extents(const Vec3& half)         the shape of those bounds, or none (optional):
///                                                        what snapshots tell of it
///
/// A shape whose geometry is shared (Polyhedron) is a handle, for which the shape library gives
/// these. It names the struct that a configuration fills, `Declared`, which has besides
///
///     geometry() const                                   what the library gives
///     Pose frame() const                                 the body's frame in that of the file
///
/// The frame's origin is the centre of mass and its axes are the principal axes.

#include "scree/base/math.hpp"

namespace scree {

/// The point of a surface nearest to a given point.
struct SurfacePoint {
  Vec3 point;       ///< on the surface, body frame, m
  Vec3 normal;      ///< unit, outward, body frame
  double distance;  ///< signed distance of the given point, m; negative inside
};

}  // namespace scree
