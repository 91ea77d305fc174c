#pragma once

/// The motions of tools as a checkpoint holds them. Not collective: alike on all ranks.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scree/io/state/state_group.hpp"
#include "scree/tools/tool.hpp"

namespace scree {

/// Rows of the group `motions`, of those that stages and events have begun or ended; none where
/// there are no such.
std::optional<StateGroup> group_of_motions(std::span<const MotionSpan> motions);

/// The motions of @p n_tools tools by the @p groups of a checkpoint. @throws InputError for one of
/// a tool that is not there
std::vector<MotionSpan> motions_of(std::span<const StateGroup> groups, std::int32_t n_tools);

/// Has those of @p motions that nothing has begun or ended since the start of the run run as
/// @p tools say now. @throws InputError for another number of tools
void take_motions(std::vector<MotionSpan>& motions, std::span<const ToolSpec> tools);

}  // namespace scree
