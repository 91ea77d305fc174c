#pragma once

/// Power of what acts on bodies in a step, for the run's record.

#include <mpi.h>

#include "scree/base/petsc.hpp"
#include "scree/bodies/store.hpp"
#include "scree/loads/fluid.hpp"
#include "scree/step/stepper.hpp"

namespace scree {

/// On all grains and free tools, at the stepper's mean velocity of the step.
struct LoadPower {
  double fields = 0.0;  ///< of force fields and loads, W
  double drag = 0.0;    ///< of the fluid, W; what it dissipates is negative
};

/// While the store has the velocities of the start of the step. Collective. @param end_velocity v+
LoadPower power_of(MPI_Comm comm, const Store& store, const Loads& loads, const Stepper& stepper,
                   const Medium& medium, Vec end_velocity);

}  // namespace scree
