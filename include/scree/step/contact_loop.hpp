#pragma once

/// From bodies that stand where they are needed to the impulses of their contacts: detection, the problem, its
/// solution. Once a step; laws that look for contacts again within a step repeat it here.

#include <cstdint>
#include <vector>

#include "scree/base/stage_clock.hpp"
#include "scree/contact/contact.hpp"
#include "scree/contact/reach.hpp"
#include "scree/domain/numbering.hpp"
#include "scree/problem/assemble.hpp"
#include "scree/step/impact.hpp"
#include "scree/step/machinery.hpp"
#include "scree/step/setup.hpp"
#include "scree/step/state.hpp"
#include "scree/tools/motion.hpp"

namespace scree {

/// The contacts of a step, solved. Slots are those of the bodies during the step, before any were removed.
struct SolvedContacts {
  std::vector<Contact> contacts;
  std::vector<ContactHistory> histories;  ///< of each contact
  PosedStep posed;
  petsc::Vector guess;  ///< where the solve started
  ImpactResult impact;
};

/// What the step at hand can close.
Reach reach_of(const State& state, const Setup& setup, double dt);

/// The potential contacts that this rank owns. Collective. @throws Failure, on every rank, for a pair whose nearest
/// points are not found. @pre bodies have ghosts and boxes (step/step.cpp).
std::vector<Contact> detect(const State& state, const Reach& reach, Machinery& machinery);

/// What a step brings to its contacts besides the bodies.
struct ContactInput {
  const StepClock& clock;
  const Numbering& numbers;
  std::span<const Velocities> tools_before;  ///< in the step before; empty: as in this one
};

/// Poses and solves @p contacts. Collective. @pre the records of state.contacts are on the ranks that need them.
SolvedContacts solve_contacts(const State& state, const Setup& setup, Machinery& machinery,
                              std::vector<Contact> contacts, const ContactInput& input,
                              StageClock& seconds);

}  // namespace scree
