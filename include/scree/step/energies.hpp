#pragma once

/// Energies and momenta of grains and free tools, for the run's record. World frame, SI.

#include <mpi.h>

#include "scree/bodies/store.hpp"

namespace scree {

struct Energies {
  double kinetic = 0.0;                  ///< J, linear and angular
  double potential = 0.0;                ///< J, -m g . x, with the buoyant mass
  Vec3 momentum = Vec3::Zero();          ///< kg m/s
  Vec3 angular_momentum = Vec3::Zero();  ///< about the origin, kg m^2/s
  double mass = 0.0;                     ///< kg
};

/// The energies of all grains of all ranks, and of free tools, at their places as if the periodic
/// @p cell did not repeat. Collective.
Energies energies(MPI_Comm comm, const Store& store, const Vec3& gravity,
                  const PeriodicCell& cell = {}, double fluid_density = 0.0);

}  // namespace scree
