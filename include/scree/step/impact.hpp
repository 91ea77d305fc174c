#pragma once

/// The impact law of a step: from the problem to the velocities after it.
///
/// One solve: what the law asks of the velocities after the step stands in r (problem/assemble.hpp).
/// Laws that solve more than once a step take their place here.

#include <span>
#include <string>

#include "scree/base/petsc.hpp"
#include "scree/bodies/store.hpp"
#include "scree/contact/contact.hpp"
#include "scree/problem/contact_problem.hpp"
#include "scree/solver/driver.hpp"

namespace scree {

struct ImpactResult {
  petsc::Vector end_velocity;  ///< v+, six entries a body, m/s and rad/s
  petsc::Vector impulse;       ///< lambda, contact frame, N s
  SolverReport report;
};

/// Collective. @param guess start of the impulses; taken over and returned as the result.
/// The result may hold what is not finite: see first_not_finite().
ImpactResult resolve(const ContactProblem& problem, SolverDriver& solver, petsc::Vector guess);

/// Names the first contact of this rank whose impulse, or else the first body of this rank whose
/// velocity, is not a finite number: such a result must never reach the bodies. Empty when all are
/// finite. Not collective. @param contacts those of the problem, in its order.
std::string first_not_finite(const Store& store, std::span<const Contact> contacts,
                             const Cones& cones, const ImpactResult& result);

}  // namespace scree
