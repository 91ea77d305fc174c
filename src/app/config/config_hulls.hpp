#pragma once

/// The hulls of a configuration's polyhedra, and its meshes, in a shape library: their handles.

#include <vector>

#include "scree/app/config/run_config.hpp"
#include "scree/io/state/state_group.hpp"

namespace scree {

/// Makes the library of a configuration that has been read: its hulls, then its meshes, in the
/// order in which they stand there. Not collective, alike on all ranks.
void number_shapes(RunConfig& config);

/// Takes the library of a run that goes on, from the @p tables of its checkpoint: it begins with
/// the hulls of the configuration, in the order in which the run counted them; its meshes are those
/// of the configuration. Not collective, alike on all ranks.
/// @pre number_shapes
/// @throws InputError naming key and file of a polyhedron or mesh that is another there: the file
/// has changed.
void adopt_shapes(RunConfig& config, const std::vector<StateGroup>& tables);

}  // namespace scree
