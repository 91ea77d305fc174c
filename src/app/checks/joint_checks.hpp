#pragma once

#include "scree/app/config/run_config.hpp"

namespace scree {

class Declaration;

/// Requires that joints are between bodies of the run, of which one at least can move, and that
/// motors drive what these leave free.
void require_joints(Declaration& d, const RunConfig& config);

}  // namespace scree
