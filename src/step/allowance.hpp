#pragma once

/// How deep pairs may overlap at the end of a step before they lack a constraint
/// (step/recursion.hpp).
///
///     rigid:      a = min(phi_0 + recovered, 0)
///     compliant:  a = min(phi_rest, phi + dt J v)    with phi + dt J v only where the row bears
///
/// phi_0 is the least gap of the pair at the start: what its row does not undo in a step of an
/// overlap that was there. A spring is at rest at phi_rest and is compressed to phi + dt J v by
/// what it bears, as its row of the problem has it; of several springs of a pair the nearest
/// counts.

#include <cstddef>
#include <optional>
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

/// The springs of all contacts, in the order in which they were formulated; empty where none of
/// this rank is compliant. Not collective.
std::vector<SpringState> springs_of(const FormulatedStep& formulated,
                                    std::span<const ContactHistory> histories,
                                    std::span<const double> impulse);

/// The overlaps that are allowed to pairs that may overlap, and to all that are compliant. @p
/// springs: as springs_of(). @p recovered: the overlap of each contact that its row undoes in the
/// step, m. Not collective.
Allowances allowances(std::span<const Contact> contacts, std::span<const SpringState> springs,
                      std::span<const double> recovered, const Trial& trial, double dt);

/// The contact whose place a constraint takes.
struct Place {
  std::size_t contact;
  bool is_free;  ///< no other constraint takes it
};

/// The place of each of @p found, constraints of compliant pairs: of the pair's @p contacts one
/// that is free, with its feature or else the nearest, or, where none is free, likewise of all;
/// none where the pair has no contact. Not collective.
std::vector<std::optional<Place>> places_of(std::span<const Contact> found,
                                            std::span<const Contact> contacts);

/// The memory of @p taker, which takes the place of @p contact: its force as the normal turns, but
/// for a place that another has taken. Not collective.
ContactHistory history_at(Place place, const Contact& contact, const ContactHistory& history,
                          bool loaded, const Contact& taker);

}  // namespace scree
