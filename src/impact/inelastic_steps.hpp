#pragma once

/// Accelerated gradient steps to an inelastic outcome (inelastic_outcome.hpp).

#include "scree/impact/energy_space.hpp"
#include "speeds_left.hpp"

namespace scree {

/// Goes on from @p sizes, sqrt(J), until a step over all contacts meets no speeds beyond @p small,
/// over all, but those that are @p left; for 10,000 steps at the most.
/// @param speeds of the contacts without impulses, sqrt(J)
FoundImpulses solve_by_steps(const EnergySpace& space, const Eigen::VectorXd& speeds, double small,
                             const SpeedsLeft& left, Eigen::VectorXd sizes);

}  // namespace scree
