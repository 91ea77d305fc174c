#pragma once

/// Bodies that a step takes further than the search for its contacts allowed for.
///
/// Two bodies of which the step knows no contact are apart at its start by the sum of their margins
/// at least (contact/reach.hpp), so that they do not meet while neither goes further than its own.
/// Impulses may throw a body further. It strays by
///
///     dt (|v| + |w| rho) - margin
///
/// and at the end of the step such a pair is no deeper than the two stray together. v, w:
/// velocities of the step, w without what turns the surface into itself; rho: the spin radius.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/contact/reach.hpp"

namespace scree {

/// By how much the body in @p slot strays, m; negative where it does not. @param velocity linear,
/// then angular  @pre as update_boxes()
double stray(const Store& store, std::int32_t slot, const Vec6& velocity, const Reach& reach);

/// Whether a body of this rank, or a prescribed tool, strays by more than @p tolerated, m. Not
/// collective. @param end_velocity six numbers for each block row
bool any_strays(const Store& store, std::span<const double> end_velocity, const Reach& reach,
                double tolerated);

/// The indices of those of @p boxes that meet any of @p targets. O(boxes + targets), where these
/// are alike in size and apart.
std::vector<std::int32_t> meeting_any(const std::vector<Box3>& boxes,
                                      const std::vector<Box3>& targets);

}  // namespace scree
