#pragma once

/// Pairs of bodies whose boxes meet.
///
/// Linked cells, one grid for each class of sizes. Bodies are put in classes by the longest edge of
/// their boxes, from the largest down; a class spans a factor of four, and its grid's cells are as
/// long as its longest edge, so that boxes of the class meet only when their centres are in the
/// same or neighbouring cells. A body is held against its own class and all coarser ones. A class
/// of a handful of bodies (tools, a boulder) and boxes without a finite size (planes) get no grid:
/// they are held against everybody. That is the only branch, and it is one of size: walls are in no
/// way special, but that a pair of two tools is left out, as one of materials that do not meet is.
///
/// Cells are buckets of a table filled by a counting sort, so memory is bounded by the number of
/// bodies however far they are spread.

#include <vector>

#include "scree/bodies/meeting_materials.hpp"
#include "scree/bodies/store.hpp"
#include "scree/contact/contact.hpp"

namespace scree {

/// All pairs of slots (tools, owned grains, ghosts) whose @p boxes, one a slot, meet, each once,
/// but pairs of two tools, and of materials that do not meet by @p meetings; pairs of two ghosts
/// are included, for the narrow phase decides whose a contact is. In no particular but a definite
/// order. O(bodies + pairs of boxes that meet). Not collective.
std::vector<Pair> broadphase(const Store& store, const std::vector<Box3>& boxes,
                             const MeetingMaterials& meetings = {});
/// The pairs of broadphase() that have a body of @p slots, no slot of which is there twice.
/// O(bodies + pairs found) where the slots are few. Not collective.
std::vector<Pair> broadphase_of(const std::vector<std::int32_t>& slots, const Store& store,
                                const std::vector<Box3>& boxes,
                                const MeetingMaterials& meetings = {});
/// The pairs whose own boxes in the store meet. @pre store.box is filled.
inline std::vector<Pair> broadphase(const Store& store) {
  return broadphase(store, store.box);
}

/// All pairs whose boxes meet, found by trying every pair, O(bodies^2): the oracle of broadphase.
std::vector<Pair> all_pairs(const Store& store);

}  // namespace scree
