#pragma once

/// Loads on bodies in a step besides weight and contacts: force fields on grains, and the flow that
/// drags them; the loads of free tools.

#include <span>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/bodies/store.hpp"
#include "scree/loads/fluid.hpp"
#include "scree/loads/force_field.hpp"
#include "scree/tools/tool.hpp"

namespace scree {

/// On one body; linear, then angular; world frame.
struct Load {
  Vec6 force = Vec6::Zero();  ///< of all fields, or the tool's load, N and N m
  Vec6 flow = Vec6::Zero();   ///< velocities of the fluid where the grain is, m/s and rad/s
};
/// On each owned grain, in slot order, then on each free tool, alike on all ranks.
using Loads = std::vector<Load>;

/// At the state of the store and the time @p t. Not collective.
/// @throws InputError when a formula has no finite value for a grain of this rank, or a tool.
Loads loads(const Store& store, std::span<const ForceField> fields, const Flow& flow,
            std::span<const ToolSpec> tools, double t);

}  // namespace scree
