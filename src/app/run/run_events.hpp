#pragma once

/// Events at the end of a step: motions start and stop, and stages end. Plain
/// functions on the state, not collective and alike on all ranks.

#include <span>
#include <string>
#include <vector>

#include "scree/app/config/stages.hpp"
#include "scree/events/situation.hpp"
#include "scree/step/state.hpp"
#include "scree/tools/tool.hpp"

namespace scree {

/// Has the motions of @p tools start and stop whose events come at @p now, each at most once a
/// step. @returns what is to be told of it, a line each.
std::vector<std::string> pass_motion_events(State& state, std::span<const ToolSpec> tools,
                                            const Situation& now);

/// Whether the stage at hand, if there is one, ends at @p now.
bool is_end_of_stage(const State& state, std::span<const StageSpec> stages, const Situation& now);

/// Begins the motions that @p stage, which is at hand, gives and that have not begun in it, at the
/// time @p t, s, from where their tools are. @p tools: as the stage has them
void begin_motions(State& state, const StageSpec& stage, std::span<const ToolSpec> tools, double t);

/// Begins the motions of @p tools that have come to their stop and that a restart at the time @p t,
/// s, gives anew, from where their tools are. @p keys: those of the configuration that the restart
/// changes. @throws InputError where one begins elsewhere than its tool is
void begin_changed_motions(State& state, std::span<const ToolSpec> tools,
                           std::span<const std::string> keys, double t);

/// Ends the stage at hand at the time @p t, s: motions that the next one gives begin there, from
/// where their tools are. @p next: tools as the next stage has them; empty after the last.
/// @returns what is to be told of it, a line each.
std::vector<std::string> end_stage(State& state, std::span<const StageSpec> stages,
                                   std::span<const ToolSpec> next, double t);

/// The stages that a run at its end has not come to, and the events that have not come, in words,
/// a line each. @p tools: as the stage at hand has them
std::vector<std::string> events_that_never_came(const State& state,
                                                std::span<const StageSpec> stages,
                                                std::span<const ToolSpec> tools);

/// Why @p tool, which a stage gives another motion, cannot begin that where it is; empty when it
/// can. @pre its motion is loaded
std::string fault_of_beginning(const ToolSpec& tool);

}  // namespace scree
