#pragma once

/// From bodies that stand where they are needed to the impulses of their contacts: detection, the
/// problem, its solution; once a step, or again, as the way of constraints says
/// (step/constraints.hpp).

#include <cstdint>
#include <vector>

#include "scree/base/stage_clock.hpp"
#include "scree/contact/contact_list.hpp"
#include "scree/contact/reach.hpp"
#include "scree/domain/numbering.hpp"
#include "scree/problem/assemble.hpp"
#include "scree/step/end_overlap.hpp"
#include "scree/step/figures.hpp"
#include "scree/step/impact.hpp"
#include "scree/step/loads.hpp"
#include "scree/step/machinery.hpp"
#include "scree/step/row_source.hpp"
#include "scree/step/setup.hpp"
#include "scree/step/state.hpp"
#include "scree/tools/motion.hpp"

namespace scree {

/// The contacts of a step, solved. Slots are those of the bodies during the step, before any were
/// removed.
struct SolvedContacts {
  ContactList contacts;
  /// One a contact where ways solve it again; else empty.
  std::vector<ContactHistory> histories;
  SourcedRows sourced;  ///< rows behind those of the contacts
  FormulatedStep formulated;
  petsc::Vector guess;          ///< where the solve started, if it is kept (Setup)
  double velocity_error = 0.0;  ///< Goal::velocity_error of the solve, m/s
  ImpactResult impact;
  EndOverlap overlap;           ///< where constraints look at the end
  EndOverlap compression;       ///< the largest of a spring at the end, in the place of an overlap
  std::int64_t recursions = 0;  ///< how often the contacts were solved again
  Figures constraint_figures;   ///< of the columns of the constraints
};

/// The reach of the step at hand.
Reach reach_of(const State& state, const Setup& setup, double dt);

/// The pairs of this rank whose boxes meet, of those that are not joined, made anew by each call:
/// few ask after detection. Not collective. @pre detect() was called for the bodies' boxes.
std::vector<Pair> meeting_pairs(const State& state, const Setup& setup, const Machinery& machinery);

/// Potential contacts that this rank owns. Collective. @throws Failure, on every rank, for a pair
/// whose nearest points are not found. @pre bodies have ghosts and boxes (step/step.cpp).
ContactList detect(const State& state, const Setup& setup, double dt, Machinery& machinery);

/// Input of a step to its contacts besides the bodies.
struct ContactInput {
  const StepClock& clock;
  const Numbering& numbers;
  const Loads& loads;                        ///< by which the bodies were predicted
  std::span<const Velocities> tools_before;  ///< in the step before; empty: as in this one
  const GiveUp& give_up;                     ///< see Goal::give_up
};

/// Formulates and solves the @p contacts. Collective. @pre the records of
/// state.contacts are on the ranks that need them.
SolvedContacts solve_contacts(const State& state, const Setup& setup, Machinery& machinery,
                              ContactList contacts, const ContactInput& input, StageClock& seconds);

}  // namespace scree
