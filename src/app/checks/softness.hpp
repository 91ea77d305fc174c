#pragma once

/// The softness that the stiffness of contacts means for the grains of a run, before it is run:
/// estimates, for `scree check`.

#include <mpi.h>

#include <string>
#include <vector>

#include "app/run/starting_grains.hpp"
#include "scree/app/config/run_config.hpp"

namespace scree {

/// One line for each pair of materials that can meet and whose contacts are compliant: their
/// stiffness, the overlaps to be expected, the time step against a contact's duration, and what is
/// left of an impact's speed. @p grains is this rank's share of those that are there at the start.
/// The same on every rank. Collective.
///
/// - Stiffness, duration T = pi sqrt(m/k_n) and restitution are those of the smallest grains, whose
///   contacts are shortest, at the reference force. Overlaps are those of the largest grains over their
///   own radius, which are the largest. Tools count as flat.
/// - The load is the weight of the grains at the start, spread evenly over the box about them, on
/// the
///   square (2 r)^2 that a grain takes up: a mean at the bottom. Without any it is the reference force.
/// - The fall is that from the highest to the lowest place where grains start, come in or find an
/// upward
///   plane, and the overlap that of two grains alone, without damping. Law `hertz` may let them pass
///   deeper in the step in which they meet, where it is as soft as at the reference force: then it is that.
std::vector<std::string> describe_softness(MPI_Comm comm, const RunConfig& config,
                                           const StartingGrains& grains);

}  // namespace scree
