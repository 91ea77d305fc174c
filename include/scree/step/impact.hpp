#pragma once

/// The impact law of a step: from the problem to the velocities after it.
///
/// Now Moreau's inelastic law only (u_n >= -phi/dt at the end of the step): one solve. Restitution
/// and elastic impacts take their place here: resolve() may then solve more than once.

#include "scree/base/petsc.hpp"
#include "scree/problem/contact_problem.hpp"
#include "scree/solver/registry.hpp"

namespace scree {

struct ImpactResult {
  petsc::Vector end_velocity;  ///< v+, six entries a body, m/s and rad/s
  petsc::Vector impulse;       ///< lambda, contact frame, N s
  SolverReport report;
};

/// Collective. @param guess start of the impulses; taken over and returned as the result.
/// @throws Failure when the solution is not finite: it must never reach the bodies.
ImpactResult resolve(const ContactProblem& problem, SolverDriver& solver, petsc::Vector guess);

}  // namespace scree
