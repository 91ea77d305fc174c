#pragma once

/// Motions that a step of its length cannot resolve, so that it is to be cut.
///
/// The problem of a step knows a contact by the normal and the gap at its start. That is right
/// while gap and travel are small against the grain. Across a wide gap a body could be deflected by
/// an edge that it misses, and after a long travel the arms are those of another configuration; in
/// a hole, or beside what turns, the path may lead to another place of the same wall; and a body
/// that an impact sets in motion may go where no contact is known. So
///
/// - no gap wider than kWidestClosing closes: dt u_n,free < -phi (a grain that passes
///   another body at a distance of more than that gets no impulse from it), and a contact that was
///   found only by its path (Contact::on_path) cuts the step;
/// - no grain, nor a corner of one that turns, goes further than kWidestClosing in a hole, nor
///   along a mesh or clump;
/// - at the end, no body stands further out of its box (contact/reach.hpp) than kFurthestOut: where
///   v* dt is at most its radius, its centre stays on the right side even of a body that it was not
///   known to meet (how deep it may stand in such a body: contact/strays.hpp). One that was to go
///   further and is thrown off its path may pass such a body, since what lies between its start and
///   its end is not looked at. One whose surface turns by more than kTurningOut stands no further
///   out than that. Constraints that search at the end allow nothing beyond the box, which is wider
///   by Reach::spare.
///
/// All in the inscribed radius of a contact's smaller grain, or of the body; of a free tool in that
/// of the smallest grain.

#include <span>
#include <string>

#include "scree/bodies/store.hpp"
#include "scree/contact/contact_list.hpp"

namespace scree {

inline constexpr double kWidestClosing = 1.0;
inline constexpr double kFurthestOut = 1.0;
inline constexpr double kTurningOut = 0.1;

/// Share of the allowed travel, above 1, for paths that have no other measure.
inline constexpr double kTooFar = 2.0;

/// How far a body travels in the step.
struct Travel {
  double share = 0.0;         ///< travel over the largest that is allowed; more than 1 is too far
  double speed = 0.0;         ///< m/s
  std::int64_t id = -1;       ///< id of the body
  Vec3 where = Vec3::Zero();  ///< its centre, m
};

/// The one of this rank's @p contacts that closes from furthest, where that is too far. @p
/// smallest_radius: inscribed, of all grains, m. Not collective. @pre store.free_velocity and the
/// tools' velocities are those of the step.
Travel furthest_closing(const Store& store, const ContactList& contacts, double smallest_radius,
                        double dt);

/// The body that @p end_velocity, six numbers for each block row, takes furthest out of its box,
/// where that is too far: beyond kFurthestOut or kTurningOut, or at all where it is to @p
/// stay_inside, since pairs are looked for in boxes after the solve, too. Not collective. @pre
/// store.box is filled.
Travel furthest_out(const Store& store, std::span<const double> end_velocity,
                    double smallest_radius, double dt, bool stay_inside = false);

}  // namespace scree
