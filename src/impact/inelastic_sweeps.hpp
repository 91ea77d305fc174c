#pragma once

/// Projected overrelaxed sweeps towards an inelastic outcome (inelastic_outcome.hpp).

#include "scree/impact/energy_space.hpp"
#include "speeds_left.hpp"

namespace scree {

/// Sweeps from zero impulses, until one over all contacts changes them by no more than @p small,
/// over all, but by what is @p left; or for a number of visits a contact.
/// @param y velocities before. @param[out] sizes of the impulses, sqrt(J)
/// @returns whether the last sweep changed so little.
bool solve_by_sweeps(const EnergySpace& space, const Eigen::VectorXd& y, double small,
                     const SpeedsLeft& left, Eigen::VectorXd& sizes);

}  // namespace scree
