#include "motion_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "scree/base/check.hpp"

namespace scree {
namespace {

bool is_as_at_start(const MotionSpan& span) {
  const bool has_begun = span.has_started() && span.start != 0.0;
  return span.given == 0.0 && !has_begun && !span.has_stopped() && !span.from;
}

constexpr std::string_view kMotions = "motions";

/// Rows of motions that stages and events have begun or ended.
StateGroup rows_of(std::span<const MotionSpan> motions) {
  std::vector<std::int64_t> tool;
  std::vector<std::int32_t> elsewhere;
  std::vector<double> times;
  std::vector<double> position;
  std::vector<double> orientation;
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const MotionSpan& span = motions[i];
    if (is_as_at_start(span)) continue;
    tool.push_back(static_cast<std::int64_t>(i));
    times.insert(times.end(), {span.given, span.start, span.stop});
    elsewhere.push_back(span.from ? 1 : 0);
    const Pose from = span.from.value_or(Pose{});
    position.insert(position.end(), from.position.begin(), from.position.end());
    const Quat& q = from.orientation;
    orientation.insert(orientation.end(), {q.w(), q.x(), q.y(), q.z()});
  }
  return {.name = std::string(kMotions),
          .common = true,
          .arrays = {{"tool", "1", 1, std::move(tool)},
                     {"given_start_stop", "s", 3, std::move(times)},
                     {"has_place", "1", 1, std::move(elsewhere)},
                     {"position", "m", 3, std::move(position)},
                     {"orientation", "1", 4, std::move(orientation)}}};
}

void restore_motions(const std::vector<NumberArray>& arrays, std::vector<MotionSpan>& motions) {
  const auto& tool = numbers_of<std::int64_t>(arrays, "tool", 1);
  const auto& times = numbers_of<double>(arrays, "given_start_stop", 3);
  const auto& has_place = numbers_of<std::int32_t>(arrays, "has_place", 1);
  const auto& position = numbers_of<double>(arrays, "position", 3);
  const auto& orientation = numbers_of<double>(arrays, "orientation", 4);
  for (std::size_t i = 0; i < tool.size(); ++i) {
    if (tool[i] < 0 || tool[i] >= static_cast<std::int64_t>(motions.size())) {
      throw InputError(fmt::format("motions: there is no tool {}", tool[i]));
    }
    MotionSpan& span = motions[static_cast<std::size_t>(tool[i])];
    span = {.given = times[3 * i],
            .start = times[3 * i + 1],
            .stop = times[3 * i + 2],
            .from = std::nullopt};
    const double* q = &orientation[4 * i];
    if (has_place[i] != 0) span.from = Pose{Vec3(&position[3 * i]), Quat(q[0], q[1], q[2], q[3])};
  }
}

}  // namespace

std::optional<StateGroup> group_of_motions(std::span<const MotionSpan> motions) {
  if (std::ranges::all_of(motions, is_as_at_start)) return std::nullopt;
  return rows_of(motions);
}

std::vector<MotionSpan> motions_of(std::span<const StateGroup> groups, std::int32_t n_tools) {
  std::vector<MotionSpan> motions(static_cast<std::size_t>(n_tools));
  for (const StateGroup& group : groups) {
    if (group.name == kMotions) restore_motions(group.arrays, motions);
  }
  return motions;
}

void take_motions(std::vector<MotionSpan>& motions, std::span<const ToolSpec> tools) {
  if (tools.size() != motions.size()) {
    throw InputError(fmt::format("tools: the checkpoint has {} and the configuration {}",
                                 motions.size(), tools.size()));
  }
  for (std::size_t i = 0; i < tools.size(); ++i) {
    MotionSpan& span = motions[i];
    const MotionSpan anew = span_of(tools[i].motion, span.given, span.from);
    const bool waits_for_nothing = !span.has_started() && anew.has_started();
    if (is_as_at_start(span) || waits_for_nothing) span = anew;
  }
}

}  // namespace scree
