#include "scree/app/config/stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "changes.hpp"
#include "scree/app/config/run_config.hpp"
#include "scree/config/declaration.hpp"
#include "scree/config/emit.hpp"

namespace scree {
namespace {

constexpr std::size_t kMostStages = 100;  ///< each has a configuration of its own

/// Where the setting was given that changed @p key: the one that holds it or lies under it, else
/// the first.
std::string place_of_change(const StageSpec& stage, const std::string& key) {
  const auto touches = [&key](const Setting& one) {
    return lies_under(key, one.key) || lies_under(one.key, key);
  };
  const auto found = std::ranges::find_if(stage.set, touches);
  return found == stage.set.end() ? stage.set.front().place : found->place;
}

/// Each line of @p faults, with the stage that it is of.
std::string in_stage(const std::string& faults, const std::string& name) {
  std::istringstream lines(faults);
  std::string all;
  for (std::string line; std::getline(lines, line);) {
    all += fmt::format("{}{}; in the stage \"{}\"", all.empty() ? "" : "\n", line, name);
  }
  return all;
}

std::string fault_of_changes(const StageSpec& stage) {
  const Difference* const unfit = unfit_for_a_stage(stage.changes);
  if (unfit == nullptr) return {};
  return fmt::format(
      "{}: {}: no stage may change it; allowed: what a restart may change, as motion, mass and "
      "inertia of tools, friction, gravity, fluid, forces, contact and solver, but not where tools "
      "stand, time, stages and output",
      place_of_change(stage, unfit->key), unfit->key);
}

void read_stage(StageSpec& stage, Overrides& overrides, const ReadWith& read, std::string& yaml) {
  for (const Setting& one : stage.set) {
    overrides.emplace_back(fmt::format("{}={}", one.key, one.value), one.place, one.folder);
  }
  stage.config = std::make_shared<const RunConfig>(read(overrides));
  const std::string before = std::exchange(yaml, emit_yaml(*stage.config));
  stage.changes = differences(before, yaml);
  const std::string fault = fault_of_changes(stage);
  if (!fault.empty()) throw InputError(fault);
  for (Setting& one : stage.set) one.value = value_in_line(yaml, one.key);
}

}  // namespace

void StageSpec::declare(Declaration& d) {
  d.text("name", name, {.help = "name of the stage", .required = true});
  d.optional_object("until", until,
                    {.help = "the stage ends with the first step at whose end this holds; only "
                             "the last stage may be without, and lasts until time.end"});
  d.settings("set", set,
             {.help = "keys that are other from here on, as for --set: what a restart may change"});
  d.require("name", !name.empty(), "is empty; allowed: a word for it");
}

bool StageSpec::moves(const std::string& tool) const {
  const std::string motion = fmt::format("tools.{}.motion", tool);
  return std::ranges::any_of(set,
                             [&](const Setting& one) { return lies_under(one.key, motion); }) ||
         std::ranges::any_of(
             changes, [&](const Difference& change) { return lies_under(change.key, motion); });
}

void require_stages(Declaration& d, const std::vector<StageSpec>& stages) {
  d.require("stages", stages.size() <= kMostStages,
            fmt::format("are {}; allowed: up to {}", stages.size(), kMostStages));
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const StageSpec& stage = stages[i];
    const auto twice = std::ranges::count(stages, stage.name, &StageSpec::name) > 1;
    d.require("stages", !twice,
              fmt::format("\"{}\" is the name of two; allowed: a name for each", stage.name));
    d.require("stages", stage.until || i + 1 == stages.size(),
              fmt::format("\"{}\" has no `until`, and so no end at which the next could begin; "
                          "allowed: as in `until: {{duration: 0.1}}`",
                          stage.name));
  }
}

void read_stages(RunConfig& config, Overrides overrides, const ReadWith& read) {
  if (config.stages.empty()) return;
  std::vector<StageSpec> stages = config.stages;
  std::string yaml = emit_yaml(config);
  for (StageSpec& stage : stages) {
    try {
      read_stage(stage, overrides, read, yaml);
    } catch (const InputError& error) {
      throw InputError(in_stage(error.what(), stage.name));
    }
  }
  config.stages = std::move(stages);
}

}  // namespace scree
