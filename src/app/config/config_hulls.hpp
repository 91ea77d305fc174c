#pragma once

/// The hulls of a configuration's polyhedra in a shape library: their handles.

#include "scree/app/config/run_config.hpp"

namespace scree {

/// Makes the library of a configuration that has been read: its hulls in the order in which they
/// stand there. Not collective, alike on all ranks.
void number_hulls(RunConfig& config);

/// Takes @p shapes, of a run that goes on, for the library: it begins with the hulls of the
/// configuration, in the order in which the run counted them. Not collective, alike on all ranks.
/// @pre number_hulls
/// @throws InputError naming key and file of a polyhedron that is another there: the file has
/// changed.
void adopt_hulls(RunConfig& config, ShapeLibrary shapes);

}  // namespace scree
