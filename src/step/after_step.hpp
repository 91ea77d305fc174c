#pragma once

#include <vector>

#include "scree/step/step.hpp"

namespace scree {

/// The velocities of the tools in the step before; empty before the first. Not collective.
std::vector<Velocities> velocities_of_tools(const State& state);

/// The bodies to the end of the step, with what it leaves for the next one, and its figures for
/// those who look at it: what looks at the contacts' slots comes before any grain is removed.
/// Collective.
void finish(State& state, const Setup& setup, MPI_Comm comm, const Loads& loads, StepResult& step);

}  // namespace scree
