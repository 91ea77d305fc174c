#pragma once

/// The joints of a run as a checkpoint holds them. Not collective: alike on all ranks.

#include <optional>
#include <span>
#include <vector>

#include "scree/io/state/state_group.hpp"
#include "scree/joints/joint_frame.hpp"

namespace scree {

/// The group `joints` of @p joints, which must live as long; none where there are no joints.
std::optional<StateRows> rows_of_joints(std::span<const JointFrame> joints);

/// The joints by the @p groups of a checkpoint. @throws InputError for a damaged group
std::vector<JointFrame> joints_of(std::span<const StateGroup> groups);

}  // namespace scree
