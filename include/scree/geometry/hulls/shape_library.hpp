#pragma once

/// Geometry that many bodies share: it lives once a rank, surfaces of triangles once a node
/// (base/node_memory.hpp), and a body holds a handle to it.
///
/// It is the same on every rank: handles are numbered in the order in which hulls are added, which
/// ranks do alike from what rank 0 has read. Constant once a run has begun.

#include <cstdint>
#include <memory>
#include <vector>

#include "scree/geometry/hulls/hull.hpp"
#include "scree/geometry/shapes/clump.hpp"
#include "scree/geometry/shapes/cluster.hpp"
#include "scree/geometry/shapes/mesh.hpp"
#include "scree/geometry/shapes/polyhedron.hpp"

namespace scree {

class ShapeLibrary {
 public:
  /// The handle of @p hull, which is added unless the same one is there (handle_of).
  std::int32_t add(std::shared_ptr<const Hull> hull);
  std::int32_t add(Hull hull) { return add(std::make_shared<const Hull>(std::move(hull))); }

  /// The handle of the hull that has the vertices of @p hull, in the same order and to rounding, in
  /// the frame of their file; -1 for none.
  std::int32_t handle_of(const Hull& hull) const;

  /// The handle of @p cluster (ball_cluster.hpp).
  std::int32_t add(BallCluster cluster);

  /// The handle of @p mesh, which is added unless it is there.
  std::int32_t add(std::shared_ptr<const SearchableMesh> mesh);

  /// The handle of @p clump, whose parts' hulls are in the library @p from. They are added, and it
  /// is, unless one of the same parts, in the same order and to rounding, is there.
  std::int32_t add(ClumpParts clump, const ShapeLibrary& from);

  std::int32_t size() const { return static_cast<std::int32_t>(hulls_.size()); }
  const Hull& hull(std::int32_t handle) const { return *hulls_[handle]; }
  ScaledHull geometry_of(const Polyhedron& p) const { return {hull(p.handle), p.scale}; }
  const BallCluster& cluster(std::int32_t handle) const { return clusters_[handle]; }
  ScaledCluster geometry_of(const Cluster& c) const { return {cluster(c.handle), c.scale}; }
  const std::vector<std::shared_ptr<const SearchableMesh>>& meshes() const { return meshes_; }
  MeshSurface geometry_of(const Mesh& m) const { return {*meshes_[m.handle], m.is_sheet != 0}; }
  const std::vector<std::shared_ptr<const ClumpParts>>& clumps() const { return clumps_; }
  ScaledClump geometry_of(const Clump& c) const { return {*clumps_[c.handle], *this, c.scale}; }
  /// A shape that needs no shared geometry, as it is.
  template <class S>
  const S& geometry_of(const S& shape) const {
    return shape;
  }

 private:
  std::vector<std::shared_ptr<const Hull>> hulls_;
  std::vector<BallCluster> clusters_;
  std::vector<std::shared_ptr<const SearchableMesh>> meshes_;
  std::vector<std::shared_ptr<const ClumpParts>> clumps_;
};

}  // namespace scree
