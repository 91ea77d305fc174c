#pragma once

/// From a step to its rows of steps.csv and tools.csv.

#include <vector>

#include "scree/app/run/records.hpp"
#include "simulation.hpp"

namespace scree {

/// Collective.
StepRecord step_record(const Simulation& simulation, const StepResult& result);

/// One a tool, in the order of the configuration. Not collective: every rank has the sums.
std::vector<ToolRecord> tool_records(const Simulation& simulation, const StepResult& result);

}  // namespace scree
