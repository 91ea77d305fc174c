#include "starting_grains.hpp"

#include "scree/base/parallel.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/io/state/grain_file.hpp"
#include "scree/sources/generators.hpp"

namespace scree {

StartingGrains starting_grains(MPI_Comm comm, const RunConfig& config) {
  std::vector<BodyGroup> groups = config.bodies;
  ShapeLibrary shapes = *config.shapes;
  load_grain_files(comm, groups, shapes);
  StartingGrains grains;
  std::string error;
  try {
    grains.bodies = generate(groups, config.materials, {rank_of(comm), size_of(comm)}, shapes);
  } catch (const InputError& fault) {
    error = fault.what();
  }
  refuse_together(comm, error);
  grains.shapes = std::make_shared<const ShapeLibrary>(std::move(shapes));
  return grains;
}

}  // namespace scree
