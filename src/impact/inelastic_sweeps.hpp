#pragma once

/// Projected overrelaxed sweeps towards an inelastic outcome (inelastic_outcome.hpp).

#include "scree/impact/energy_space.hpp"
#include "speeds_left.hpp"

namespace scree {

/// Sweeps from zero impulses, until one over all contacts meets no speeds beyond @p small, over
/// all, beside those that are @p left; or for a number of visits a contact.
/// @param y velocities before
FoundImpulses solve_by_sweeps(const EnergySpace& space, const Eigen::VectorXd& y, double small,
                              const SpeedsLeft& left);

}  // namespace scree
