#pragma once

/// From a step to its rows of steps.csv and tools.csv.

#include <span>
#include <vector>

#include "scree/app/run/records.hpp"
#include "scree/events/situation.hpp"
#include "simulation.hpp"

namespace scree {

/// Collective.
StepRecord step_record(const Simulation& simulation, const StepResult& result);

/// One a tool, in the order of the configuration. Not collective: every rank has the sums.
std::vector<ToolRecord> tool_records(const Simulation& simulation, const StepResult& result);

/// The end of the step of @p record, as conditions see it. Valid as long as @p tools. Not
/// collective.
Situation situation_of(const StepRecord& record, std::span<const ToolRecord> tools);

}  // namespace scree
