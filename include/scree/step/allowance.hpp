#pragma once

/// How deep pairs may overlap at the end of a step before they lack a constraint (step/recursion.hpp).
///
///     rigid:      a = min(phi_0 + dt (recovery speed), 0)
///     compliant:  a = min(phi_rest, phi + dt J v)    with phi + dt J v only where the row bears
///
/// phi_0 is the least gap of the pair at the start: what the recovery speed does not undo in a step of an overlap that was
/// there. A spring is at rest at phi_rest and is compressed to phi + dt J v by what it bears, as its row of the problem has
/// it; of several springs of a pair the deepest counts.

#include <map>
#include <span>
#include <vector>

#include "scree/contact/contact.hpp"
#include "scree/problem/assemble.hpp"
#include "scree/step/recursion.hpp"

namespace scree {

/// The spring of a contact's normal, as a solve left it.
struct SpringState {
  bool is_compliant = false;
  bool bears = false;
  double rest_gap = 0.0;  ///< m
};

/// Of each contact, in the order in which they were posed; empty where none of this rank is compliant. Not collective.
std::vector<SpringState> springs_of(const PosedStep& posed,
                                    std::span<const ContactHistory> histories,
                                    std::span<const double> impulse);

/// Of the pairs that may overlap, and of all that are compliant. @p springs: as springs_of(). @p recovered: the recovery
/// speed times dt, m. Not collective.
Allowances allowances(std::span<const Contact> contacts, std::span<const SpringState> springs,
                      const Trial& trial, double recovered, double dt);

/// What the pairs' springs carry from the step before, for constraints that take the place of theirs: the least rest gap,
/// and an equal part of all their forces. Not collective.
std::map<PairKey, ContactHistory> histories_of_springs(std::span<const Contact> contacts,
                                                       std::span<const SpringState> springs,
                                                       std::span<const ContactHistory> histories);

/// Those of @p contacts that are rigid. Not collective.
std::vector<Contact> rigid_ones(std::span<const Contact> contacts,
                                std::span<const SpringState> springs);

}  // namespace scree
