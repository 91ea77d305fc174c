#pragma once

/// Formulas that have no value, refused before the run: a later stage would else end a run hours
/// after it began. Not collective, alike on all ranks.

#include <functional>

#include "scree/app/config/run_config.hpp"
#include "scree/step/setup.hpp"
#include "scree/tools/tool.hpp"

namespace scree {

/// The times between which a configuration may begin to hold, s.
struct BeginsBetween {
  double from = 0.0;
  double to = 0.0;
};

/// Refuses formulas of motors that have no value whenever the configuration begins to hold. Motors
/// by the place and velocity of what they drive are not looked at: these are the run's.
/// @pre the motors are loaded. @throws InputError that names the motor
void refuse_motors_without_value(const RunConfig& config, const BeginsBetween& times);

/// Refuses force fields and flows of @p setup that have no value for a ball of @p radius of any
/// material at any of many places, velocities and times: where grains will be is the run's.
/// @throws InputError that names the field or the fluid
void refuse_fields_without_value(const RunConfig& config, const Setup& setup, double radius,
                                 const BeginsBetween& times);

/// Refuses loads of the tools that @p is_to_begin that have no value when their motion begins.
/// @throws InputError that names the tool
void refuse_loads_without_value(const Setup& setup,
                                const std::function<bool(const ToolSpec&)>& is_to_begin);

}  // namespace scree
