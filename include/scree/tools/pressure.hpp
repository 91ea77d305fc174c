#pragma once

/// The load of a free tool in a step: its force and torque, and the pressure of a wall of a cell.
///
/// A plane presses with its pressure times its area to its free side. The area is given, or that of
/// the cell between four other planes, two opposite ones and two across them, which changes as they
/// move:
///
///     A = (distance of the first two) (distance of the last two)
///
/// so that a cell of six plates keeps its stress while it deforms (a triaxial test).

#include <span>
#include <string>

#include "scree/base/math.hpp"
#include "scree/bodies/store.hpp"
#include "scree/tools/tool.hpp"

namespace scree {

/// On the free tool @p i at the time @p t, world frame, N and N m. @pre its motion is loaded; the
/// first slots of @p store are @p tools. @throws InputError naming the tool where a formula is not
/// finite, or the cell has no area
Vec6 load_on(const Store& store, std::span<const ToolSpec> tools, std::size_t i, double t);

/// Why @p tool, one of @p tools, cannot press as its motion says; empty when it can.
std::string fault_of_pressure(const ToolSpec& tool, std::span<const ToolSpec> tools);

}  // namespace scree
