#pragma once

/// Numbers of the last snapshot of a run.

#include <vector>

#include "scree/geometry/periodic.hpp"
#include "scree/io/run_folder/run_folder.hpp"
#include "scree/sweep/observable.hpp"

namespace scree::sweep {

/// Volume of all grains in @p box, over that of the box; images of grains count where space
/// repeats. Not collective. @throws InputError when there is no snapshot, or it is damaged.
double packing_fraction(const RunFolder& folder, const PeriodicCell& cell, const Box3& box);

/// The grains that nothing holds, with the radii of the balls of their volumes. Throws as above.
std::vector<SurfaceGrain> free_grains(const RunFolder& folder);

}  // namespace scree::sweep
