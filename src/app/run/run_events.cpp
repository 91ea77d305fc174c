#include "run_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "scree/base/check.hpp"

namespace scree {
namespace {

/// Says that the event came at which @p condition holds.
std::string in_words(const ToolSpec& tool, std::string_view event, const Condition& condition,
                     const Situation& now) {
  return fmt::format("{:.9g} s: tools.{}.motion.{}: {}", now.time, tool.name, event,
                     condition.in_words());
}

/// `stage 2 of 3 (shear)`
std::string name_of(std::span<const StageSpec> stages, std::size_t i) {
  return fmt::format("stage {} of {} ({})", i + 1, stages.size(), stages[i].name);
}

std::size_t at_hand(const State& state) {
  return static_cast<std::size_t>(state.stage.ended);
}

}  // namespace

std::vector<std::string> pass_motion_events(State& state, std::span<const ToolSpec> tools,
                                            const Situation& now) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < tools.size(); ++i) {
    const MotionEvents* const events = events_of(tools[i].motion);
    if (events == nullptr) continue;
    MotionSpan& span = state.motions[i];
    if (!span.has_started()) {
      if (!events->start_when || !events->start_when->holds(now, span.given)) continue;
      span.start = now.time;
      lines.push_back(in_words(tools[i], "start_when", *events->start_when, now));
    } else if (events->stop_when && !span.has_stopped() &&
               events->stop_when->holds(now, span.start)) {
      span.stop = now.time;
      lines.push_back(in_words(tools[i], "stop_when", *events->stop_when, now));
    }
  }
  return lines;
}

bool is_end_of_stage(const State& state, std::span<const StageSpec> stages, const Situation& now) {
  if (at_hand(state) >= stages.size()) return false;
  const std::optional<Condition>& until = stages[at_hand(state)].until;
  return until && until->holds(now, state.stage.began);
}

void begin_motions(State& state, const StageSpec& stage, std::span<const ToolSpec> tools,
                   double t) {
  for (std::size_t i = 0; i < tools.size(); ++i) {
    if (!stage.moves(tools[i].name) || state.motions[i].given >= state.stage.began) continue;
    const Pose body = pose_of(state.bodies, static_cast<std::int32_t>(i));
    state.motions[i] = span_of(tools[i].motion, t, tools[i].origin_of(body));
  }
}

void begin_changed_motions(State& state, std::span<const ToolSpec> tools,
                           std::span<const std::string> keys, double t) {
  for (std::size_t i = 0; i < tools.size(); ++i) {
    const std::string motion = fmt::format("tools.{}.motion", tools[i].name);
    const bool is_changed = std::ranges::any_of(
        keys, [&motion](const std::string& key) { return key.find(motion) != key.npos; });
    if (!is_changed || !state.motions[i].has_stopped()) continue;
    const std::string fault = fault_of_beginning(tools[i]);
    if (!fault.empty()) throw InputError(fault);
    const Pose body = pose_of(state.bodies, static_cast<std::int32_t>(i));
    state.motions[i] = span_of(tools[i].motion, t, tools[i].origin_of(body));
  }
}

std::vector<std::string> end_stage(State& state, std::span<const StageSpec> stages,
                                   std::span<const ToolSpec> next, double t) {
  const std::size_t ended = at_hand(state);
  std::vector<std::string> lines{fmt::format("{:.9g} s: {} ends: {}", t, name_of(stages, ended),
                                             stages[ended].until->in_words())};
  state.stage = {.ended = state.stage.ended + 1, .began = t, .is_counted = true};
  if (ended + 1 == stages.size()) return lines;
  const StageSpec& stage = stages[ended + 1];
  lines.push_back(fmt::format("{} begins", name_of(stages, ended + 1)));
  for (const Setting& one : stage.set) {
    lines.push_back(fmt::format("sets {}: {}", one.key, one.value));
  }
  begin_motions(state, stage, next, t);
  return lines;
}

std::vector<std::string> events_that_never_came(const State& state,
                                                std::span<const StageSpec> stages,
                                                std::span<const ToolSpec> tools) {
  std::vector<std::string> lines;
  constexpr std::string_view kRemedy =
      "make time.end later, or the condition such that it comes; steps.csv and tools.csv have the "
      "values that it looks at";
  const std::size_t hand = at_hand(state);
  if (hand < stages.size() && stages[hand].until) {
    lines.push_back(fmt::format("{} did not end: {}; {}", name_of(stages, hand),
                                stages[hand].until->in_words(), kRemedy));
  }
  for (std::size_t i = hand + 1; i < stages.size(); ++i) {
    lines.push_back(fmt::format("{} did not begin", name_of(stages, i)));
  }
  for (std::size_t i = 0; i < tools.size(); ++i) {
    const MotionEvents* const events = events_of(tools[i].motion);
    if (events == nullptr) continue;
    const auto add = [&](std::string_view event, const Condition& condition) {
      lines.push_back(fmt::format("tools.{}.motion.{} did not come: {}; {}", tools[i].name, event,
                                  condition.in_words(), kRemedy));
    };
    const MotionSpan& span = state.motions[i];
    if (events->start_when && !span.has_started()) add("start_when", *events->start_when);
    if (events->stop_when && !span.has_stopped()) add("stop_when", *events->stop_when);
  }
  return lines;
}

std::string fault_of_beginning(const ToolSpec& tool) {
  const Pose start = pose_at(tool.motion, 0.0, Pose{});
  const double turned = rotation_vector(start.orientation).norm();
  constexpr double kRounding = 1e-12;  // m and rad, of formulas that vanish
  if (start.position.norm() <= kRounding && turned <= kRounding) return {};
  return fmt::format(
      "tools.{}.motion: begins {} m and {} rad away from where the tool is, and a tool cannot "
      "jump; "
      "allowed in a stage: a motion that is at its place at the time 0, which is the start of the "
      "stage",
      tool.name, start.position.norm(), turned);
}

}  // namespace scree
