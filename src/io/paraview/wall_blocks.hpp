#pragma once

/// Walls and tools as surfaces with the force that they bear, for viewers.

#include <mpi.h>

#include <span>
#include <string>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/geometry/hulls/surface_mesh.hpp"
#include "scree/io/hdf5/number_array.hpp"

namespace scree {

struct WallBlock {
  std::string name;
  std::string shape;                ///< its word in YAML
  std::vector<NumberArray> arrays;  ///< points; triangles; force of each triangle's tool
};

/// The tools of @p store, the same on every rank, by @p names (else by number) and @p forces on
/// them (else none), N. What has no end is drawn beside the box of all grains and tools that have
/// one. Collective.
std::vector<WallBlock> wall_blocks(MPI_Comm comm, const Store& store,
                                   std::span<const std::string> names,
                                   std::span<const Vec3> forces);

}  // namespace scree
