#pragma once

#include <functional>
#include <span>
#include <vector>

#include "scree/app/config/run_config.hpp"
#include "scree/step/setup.hpp"
#include "scree/tools/motion_span.hpp"

namespace scree {

/// The configuration that holds in a stage of a run, or in all of it, and its setup.
struct StagePlan {
  RunConfig config;
  Setup setup;
};

/// The plans of the stages of @p config, with the files that they name; one plan where it has no
/// stages. @p complete is done with each configuration when its files are loaded. Not collective,
/// alike on all ranks. @throws InputError that names the stage, also where one gives a tool a
/// motion that begins elsewhere than the tool is
std::vector<StagePlan> stage_plans(const RunConfig& config,
                                   const std::function<void(RunConfig&)>& complete);

/// Calls @p act; what it throws as InputError names the stage number @p stage, from 0, of @p config
/// where that has any.
void in_stage(const RunConfig& config, std::size_t stage, const std::function<void()>& act);

/// Has the motions of @p tools run as @p spans say, one a tool.
void give_spans(std::vector<ToolSpec>& tools, std::span<const MotionSpan> spans);

}  // namespace scree
