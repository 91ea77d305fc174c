#pragma once

#include "scree/app/config/run_config.hpp"

namespace scree {

/// Refuses formulas of motors that have no value whenever the configuration begins to hold between
/// the times @p from and @p to, s. Motors by the place and velocity of what they drive are not
/// looked at: these are the run's. Not collective, alike on all ranks.
/// @pre the motors are loaded. @throws InputError that names the motor
void refuse_motors_without_value(const RunConfig& config, double from, double to);

}  // namespace scree
