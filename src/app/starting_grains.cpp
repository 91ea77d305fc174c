#include "scree/app/starting_grains.hpp"

#include "scree/base/parallel.hpp"
#include "scree/io/grain_file.hpp"
#include "scree/sources/generators.hpp"

namespace scree {

std::vector<Body> starting_grains(MPI_Comm comm, const RunConfig& config) {
  std::vector<BodyGroup> groups = config.bodies;
  load_grain_files(comm, groups);
  std::vector<Body> bodies;
  std::string error;
  try {
    bodies = generate(groups, config.materials, {rank_of(comm), size_of(comm)});
  } catch (const InputError& fault) {
    error = fault.what();
  }
  refuse_together(comm, error);
  return bodies;
}

}  // namespace scree
