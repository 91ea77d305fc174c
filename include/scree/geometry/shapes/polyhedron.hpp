#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "scree/geometry/hulls/hull.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/shape.hpp"

namespace scree {

class Declaration;

struct MeshPolyhedron;

/// Convex polyhedron: one of the shape library's hulls, scaled.
struct Polyhedron {
  static constexpr std::string_view kType = "polyhedron";
  static constexpr std::string_view kHelp = "convex hull of the vertices of a mesh file";
  using Declared = MeshPolyhedron;  ///< what a configuration says of it

  std::int32_t handle = 0;
  double scale = 1.0;

  Polyhedron scaled(double factor) const { return {handle, factor * scale}; }
};

/// A polyhedron with its geometry. Valid as long as the hull.
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

/// A polyhedron as a configuration says it: from a mesh file, in metres times `scale`.
struct MeshPolyhedron {
  static constexpr std::string_view kType = Polyhedron::kType;
  static constexpr std::string_view kHelp = Polyhedron::kHelp;

  std::filesystem::path file;
  double scale = 1.0;
  /// The hull of the file; until it is read a cube, so that sizes can be asked of a faulty
  /// configuration.
  std::shared_ptr<const Hull> hull = unread();
  double enclosed = 0.0;     ///< volume in the file's closed surface, cube of its unit; 0: open
  std::int32_t handle = -1;  ///< of the hull, once it is in a shape library

  void declare(Declaration& d);

  ScaledHull geometry() const { return {*hull, scale}; }
  Polyhedron scaled(double factor) const { return {handle, factor * scale}; }
  /// Where the hull's frame is in that of the file, whose unit is a metre times `scale`.
  Pose frame() const { return {scale * hull->in_file.position, hull->in_file.orientation}; }

 private:
  static std::shared_ptr<const Hull> unread();
};

}  // namespace scree
