#pragma once

/// From pairs of boxes to potential contacts, on the rank that has the pair
/// (contact/own_pairs.hpp).
///
/// Which pairs (reach.hpp gives the reasons; m_i is the margin of body i):
///
/// | pair | potential contact |
/// | ---  | ---               |
/// | gap < m_a + m_b | yes: what impulses change in the step may close it |
/// | gap beyond that, but the predicted paths come to touch | yes: fast bodies |
/// | neither body can give way (tools, grains held in x, y and z) | no |
///
/// In a periodic cell a grain has a contact with each image of a tool that it meets.
///
/// A sphere and a convex shape touch in one point: feature 0 of the key. In a hole that is narrow
/// for it a sphere may also rest on two other sides: features 1 and 2 (RoundHole::around).

#include <span>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/contact/contact_list.hpp"
#include "scree/contact/reach.hpp"
#include "scree/contact/surfaces.hpp"

namespace scree {

/// The potential contacts of @p pairs, which are this rank's, with the surfaces @p touching, sorted
/// by key. Not collective.
/// @pre store.box is filled with the same @p reach; ghosts' free velocities are their owners'; the
/// surfaces lie within the bodies' own shapes.
ContactList narrowphase(const Store& store, const std::vector<Pair>& pairs, const Reach& reach,
                        const Surfaces& touching);

/// Contacts of the pairs, as above, with the bodies' own shapes.
inline ContactList narrowphase(const Store& store, const std::vector<Pair>& pairs,
                               const Reach& reach) {
  return narrowphase(store, pairs, reach, surfaces_of(store));
}

/// The points of @p pairs whose own shapes overlap where bodies have the poses @p trial, one for
/// each slot, sorted by key: gaps, normals and arms are those there. Not collective.
/// @pre as narrowphase(); no pair meets in the trial configuration that is not among @p pairs
std::vector<Contact> overlaps(const Store& store, const std::vector<Pair>& pairs,
                              std::span<const Pose> trial, const Reach& reach);

}  // namespace scree
