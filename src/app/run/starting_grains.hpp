#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "scree/app/config/run_config.hpp"
#include "scree/bodies/store.hpp"

namespace scree {

/// This rank's share of the grains that are there at the start, and what their handles stand for:
/// the configuration's polyhedra and then those of files of grains.
struct StartingGrains {
  std::vector<Body> bodies;
  std::shared_ptr<const ShapeLibrary> shapes;
};

/// Collective. @throws InputError, on all ranks, for files and groups that are faulty on one.
StartingGrains starting_grains(MPI_Comm comm, const RunConfig& config);

}  // namespace scree
