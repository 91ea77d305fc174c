#pragma once

/// Zones of contacts across ranks: bodies that contacts join, directly or by others, have one
/// label.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/problem/contact_problem.hpp"

namespace scree {

/// The label of bodies in whose zone nothing strikes.
inline constexpr double kNotStriking = 1e18;

/// Contacts, by their number among this rank's.
struct ActiveContacts {
  std::span<const std::int32_t> all;       ///< they join bodies
  std::span<const std::int32_t> striking;  ///< a zone that has one of them strikes
};

/// The zone of each local body (problem/block_rows.hpp): the least global block among those of its
/// bodies that a striking contact touches; kNotStriking where there is none. Bodies that cannot
/// move join nothing. Collective, in as many rounds of messages as a zone crosses cuts between
/// ranks.
std::vector<double> zone_labels(const ContactProblem& problem, const ActiveContacts& contacts);

/// Calls `visit(body)` for the local bodies of contact @p i that can move.
template <class Visit>
void for_each_movable(const BlockRows& blocks, std::int32_t i, Visit&& visit) {
  for (const std::int32_t body : blocks.pattern.bodies(i)) {
    if (blocks.inverse_mass[body].trace() > 0.0) visit(body);
  }
}

}  // namespace scree
