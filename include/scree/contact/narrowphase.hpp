#pragma once

/// From pairs of boxes to potential contacts, each on exactly one rank.
///
/// Which pairs (reach.hpp gives the reasons; m_i is the margin of body i):
///
/// | pair | potential contact |
/// | ---  | ---               |
/// | gap < m_a + m_b | yes: what impulses change in the step may close it |
/// | gap beyond that, but the predicted paths come to touch | yes: fast bodies |
/// | neither body can give way (tools, grains held in x, y and z) | no |
///
/// Whose it is. Every rank that has both bodies sees the pair; exactly one of them keeps it:
///
/// | A      | B     | kept by                                                                    |
/// | ---    | ---   | ---                                                                        |
/// | owned  | tool  | this rank                                                                  |
/// | ghost  | tool  | A's owner                                                                  |
/// | owned or ghost | owned or ghost | the rank whose region holds the lower corner of both boxes' intersection |
///
/// That rank meets both boxes at the corner, so it has both bodies; all ranks compute the corner
/// from the same two boxes, bit by bit.
///
/// In a periodic cell a pair is seen in several images; the one is kept in which A is itself, in
/// the cell, whatever image B is. A body and its own image keep their distance, and are no pair.
/// Ghosts have no contact with tools; an owned grain has one with each image of the tool that it
/// meets.
///
/// A sphere and a convex shape touch in one point: feature 0 of the key. In a hole that is narrow
/// for it a sphere may also rest on two other sides: features 1 and 2 (RoundHole::around).

#include <functional>
#include <span>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/contact/contact.hpp"
#include "scree/contact/reach.hpp"
#include "scree/contact/surfaces.hpp"

namespace scree {

/// Whether this rank's region holds a point. Regions of all ranks cover space without overlap.
using OwnsPoint = std::function<bool(const Vec3&)>;

/// The potential contacts of bodies with the surfaces @p touching that are this rank's, sorted by
/// key. Not collective.
/// @pre store.box is filled with the same @p reach; ghosts' free velocities are their owners'; the
/// surfaces lie within the bodies' own shapes.
std::vector<Contact> narrowphase(const Store& store, const std::vector<Pair>& pairs,
                                 const Reach& reach, const OwnsPoint& owns,
                                 const Surfaces& touching);

/// Contacts of the pairs, as above, with the bodies' own shapes.
inline std::vector<Contact> narrowphase(const Store& store, const std::vector<Pair>& pairs,
                                        const Reach& reach, const OwnsPoint& owns) {
  return narrowphase(store, pairs, reach, owns, surfaces_of(store));
}

/// The points of @p pairs whose own shapes overlap where bodies have the poses @p trial, one for
/// each slot, sorted by key: gaps, normals and arms are those there. A pair is the rank's that
/// narrowphase() gives it to. Not collective.
/// @pre as narrowphase(); no pair meets in the trial configuration that is not among @p pairs
std::vector<Contact> overlaps(const Store& store, const std::vector<Pair>& pairs,
                              std::span<const Pose> trial, const Reach& reach,
                              const OwnsPoint& owns);

}  // namespace scree
