#pragma once

/// What acts on grains in a step besides weight and contacts: force fields, and the flow that drags them.

#include <mpi.h>

#include <span>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/base/petsc.hpp"
#include "scree/bodies/store.hpp"
#include "scree/loads/fluid.hpp"
#include "scree/loads/force_field.hpp"

namespace scree {

/// An entry for each owned grain, in slot order; linear, then angular; world frame.
struct Loads {
  std::vector<Vec6> force;  ///< of all fields, N and N m
  std::vector<Vec6> flow;   ///< velocities of the fluid where the grain is, m/s and rad/s
};

/// At the state of the store and the time @p t. Not collective.
/// @throws InputError when a formula has no finite value for a grain of this rank.
Loads loads(const Store& store, std::span<const ForceField> fields, const Flow& flow, double t);

/// Power of the loads on all grains in a step.
///
/// In inertial dynamics it is taken at the mean of the velocities at start and end of the step, so that
/// dt times it is the change of kinetic energy, but for what weight and contacts do; in overdamped
/// dynamics, where velocity is no state, at the velocity of the step.
struct LoadPower {
  double fields = 0.0;  ///< W
  double drag = 0.0;    ///< of the fluid, W; what it dissipates is negative
};

/// While the store has the velocities of the start of the step. Collective. @param end_velocity v+
LoadPower power_of(MPI_Comm comm, const Store& store, const Loads& loads, const Medium& medium,
                   Vec end_velocity);

}  // namespace scree
