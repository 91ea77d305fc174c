#pragma once

/// Geometry that many bodies share: it lives once a rank, and a body holds a handle to it.
///
/// Made at set-up from the same files in the same order on every rank, so that handles mean the same
/// everywhere; constant afterwards.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "scree/geometry/hull.hpp"
#include "scree/geometry/shapes/polyhedron.hpp"

namespace scree {

class ShapeLibrary {
 public:
  /// The polyhedron that is the convex hull of the points of the mesh @p file (mesh_points), in
  /// metres times @p scale. A file is read once. Not collective.
  /// @throws InputError
  Polyhedron polyhedron(const std::filesystem::path& file, double scale);

  /// The handle of @p hull, for those that are not from files.
  std::int32_t add(Hull hull);

  const Hull& hull(std::int32_t handle) const { return hulls_[handle]; }
  ScaledHull geometry_of(const Polyhedron& p) const { return {hull(p.handle), p.scale}; }
  /// A shape that needs no shared geometry, as it is.
  template <class S>
  const S& geometry_of(const S& shape) const {
    return shape;
  }

 private:
  struct FromFile {
    std::filesystem::path path;
    std::int32_t handle;
  };

  std::vector<Hull> hulls_;
  std::vector<FromFile> files_;
};

}  // namespace scree
