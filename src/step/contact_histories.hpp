#pragma once

/// What contacts carry from the step before (scree/step/contact_memory.hpp), as the next step takes
/// it: how they are formulated, and a start for the solve.

#include <map>
#include <vector>

#include "scree/step/contact_memory.hpp"

namespace scree {

/// @p x by the shortest turn that takes one unit vector to another. Opposite ones leave the axis
/// open.
Vec3 turned_with(const Vec3& from, const Vec3& to, const Vec3& x);

/// How contacts are formulated after what they carry; those found within the step after what @p
/// springs says of them.
/// @p recovered: by how much a rest gap decays in the step, m. Not collective.
std::vector<ContactHistory> histories_of(const Store& store, ContactView contacts,
                                         const FoundRecords& records, double dt, double recovered,
                                         const std::map<ContactKey, ContactHistory>& springs = {});

/// Block by block, without springs found within the step. Store, contacts and records must outlive
/// it.
HistoryBlocks history_blocks(const Store& store, ContactView contacts, const FoundRecords& records,
                             double dt, double recovered);
HistoryBlocks history_blocks(const Store& store, ContactView contacts, FoundRecords&& records,
                             double dt, double recovered) = delete;

/// A start for the solve of a step of @p dt: what @p contacts carry, in their frames, zero for new
/// ones. Collective (makes a vector).
petsc::Vector guess_of(const ContactProblem& problem, ContactView contacts,
                       const FoundRecords& records, double dt);

}  // namespace scree
