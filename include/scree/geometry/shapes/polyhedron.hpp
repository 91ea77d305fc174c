#pragma once

#include <cstdint>
#include <string_view>

#include "scree/geometry/hull.hpp"
#include "scree/geometry/shape.hpp"

namespace scree {

/// Convex polyhedron: one of the shape library's hulls, scaled. It is not declared in a
/// configuration: the library makes it, from a file.
struct Polyhedron {
  static constexpr std::string_view kType = "polyhedron";
  static constexpr std::string_view kHelp = "convex hull of a mesh's vertices";

  std::int32_t handle = 0;
  double scale = 1.0;
};

/// What a polyhedron is like. Valid as long as the hull.
struct ScaledHull {
  const Hull& hull;
  double scale;

  Vec3 support(const Vec3& direction) const;
  SurfacePoint nearest(const Vec3& p) const;
  Box3 bounds(const Mat3& rotation) const;
  double bounding_radius() const { return scale * hull.bounding_radius; }
  double inscribed_radius() const { return scale * hull.inscribed_radius; }
  double rounding_radius() const { return 0.0; }
  double volume() const { return scale * scale * scale * hull.volume; }
  Vec3 inertia_per_mass() const { return scale * scale * hull.inertia_per_mass; }
};

}  // namespace scree
