#pragma once

/// Zones: what one impact takes hold of. Contacts with a common body that can move belong to one
/// zone; walls and held bodies do not connect. A zone where nothing approaches is no impact.

#include <cstdint>
#include <vector>

#include "scree/impact/impact_problem.hpp"

namespace scree {

/// Bodies and contacts of a problem, ascending. Held bodies that the contacts touch are among the
/// bodies.
struct ImpactZone {
  std::vector<std::int32_t> bodies;
  std::vector<std::int32_t> contacts;
};

/// The zones of @p problem where a contact approaches (u_n < 0), by their first contact.
std::vector<ImpactZone> impact_zones(const ImpactProblem& problem);

/// The part of @p problem in a zone, in its own numbering. @param place room for a number of each
/// of the problem's bodies.
ImpactProblem part_of(const ImpactProblem& problem, const ImpactZone& zone,
                      std::vector<std::int32_t>& place);

/// The one coefficient of restitution of a zone, since one per contact would break the proof of an
/// end: the mean over its contacts by their reduced masses,
///
///     e = sum_i m_i e_i / sum_i m_i,    m_i = 1 / (n_i^T M^-1 n_i).
///
/// Where all pairs have one coefficient it is exactly that.
double zone_restitution(const ImpactProblem& zone);

}  // namespace scree
