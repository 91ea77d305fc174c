#pragma once

/// How deep pairs may overlap at the end of a step before they lack a constraint
/// (step/recursion.hpp).
///
///     rigid:      a = min(phi_0 + recovered, 0)
///     compliant:  a_i = min(phi_rest, phi + dt J v)    with phi + dt J v only where the row bears,
///                                                      or its spring is compressed at the start
///
/// phi_0 is the least gap of the pair at the start: what its row does not undo in a step of an
/// overlap that was there. A spring is at rest at phi_rest and is compressed to phi + dt J v
/// by what it bears, as its row of the problem has it; one that opens faster than its dashpot lets
/// it bears nothing, and is compressed still. Of several springs of a pair the nearest counts, or,
/// where they share the pair's stiffness by what they bear (step/pair_springs.hpp), the deepest,
/// and at most a hundredth more than one spring, with its dashpot, that bears what all do.

#include <span>
#include <vector>

#include "scree/contact/contact_list.hpp"
#include "scree/problem/assemble.hpp"
#include "scree/step/recursion.hpp"

namespace scree {

/// The spring of a contact's normal, as a solve left it.
struct SpringState {
  bool is_compliant = false;
  bool bears = false;
  double rest_gap = 0.0;    ///< m
  double load = 0.0;        ///< compression of the pair's whole spring by what this one bears, m
  double bias_share = 1.0;  ///< bias of its row over gap/dt, where it is compressed at the start
};

/// The springs of all contacts, in the order in which they were formulated; empty where none of
/// this rank is compliant. Not collective.
std::vector<SpringState> springs_of(const FormulatedStep& formulated, ContactView contacts,
                                    std::span<const ContactHistory> histories,
                                    std::span<const double> impulse);

/// The overlaps that are allowed to pairs that may overlap, and to all that are compliant. @p
/// springs: as springs_of(). @p recovered: the overlap of each contact that its row undoes in the
/// step, m. Not collective.
Allowances allowances(ContactView contacts, std::span<const SpringState> springs,
                      std::span<const double> recovered, const Trial& trial, double dt);

}  // namespace scree
