#include "stage_plans.hpp"

#include <fmt/format.h>

#include "run_events.hpp"
#include "scree/base/check.hpp"
#include "start.hpp"

namespace scree {
namespace {

StagePlan plan_of(const RunConfig& config, const std::function<void(RunConfig&)>& complete) {
  StagePlan plan{.config = config, .setup = {}};
  plan.config.load_files();
  complete(plan.config);
  plan.setup = setup_of(plan.config);
  return plan;
}

/// The first stage gives motions that begin with the run, wherever they are then.
void refuse_jumps_at_beginnings(const StageSpec& stage, const RunConfig& config) {
  for (const ToolSpec& tool : config.tools) {
    const std::string fault = stage.moves(tool.name) ? fault_of_beginning(tool) : std::string();
    if (!fault.empty()) throw InputError(fault);
  }
}

}  // namespace

std::vector<StagePlan> stage_plans(const RunConfig& config,
                                   const std::function<void(RunConfig&)>& complete) {
  std::vector<StagePlan> plans;
  if (config.stages.empty()) plans.push_back(plan_of(config, complete));
  for (std::size_t i = 0; i < config.stages.size(); ++i) {
    const StageSpec& stage = config.stages[i];
    in_stage(config, i, [&] {
      plans.push_back(plan_of(*stage.config, complete));
      if (i > 0) refuse_jumps_at_beginnings(stage, plans.back().config);
    });
  }
  return plans;
}

void in_stage(const RunConfig& config, std::size_t stage, const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    if (config.stages.empty()) throw;
    throw InputError(
        fmt::format("{}; in the stage \"{}\"", error.what(), config.stages[stage].name));
  }
}

void give_spans(std::vector<ToolSpec>& tools, std::span<const MotionSpan> spans) {
  for (std::size_t i = 0; i < tools.size(); ++i) tools[i].span = spans[i];
}

}  // namespace scree
